import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { visible } from '../visible.ts';
import { entrySchema, findingField, runField } from './fields.ts';

export const getFinding = defineTool({
  name: 'get_finding',
  title: 'One finding with its proof',
  description:
    'Returns one finding whole: where, what shows it, how to mend it, the chain that proves it and the events behind that chain. What the server chose stands as {"untrusted": …}.',
  toolset: 'analyze',
  input: z.strictObject({ run: runField, finding: findingField }),
  output: z.strictObject({
    run: z.string().max(128),
    finding: entrySchema,
    proof: entrySchema.nullable().describe('call, process, event, effect; null where it was found by reading'),
    events: z.array(entrySchema).max(64).describe('those that the proof names'),
    can_replay: z.boolean().describe('replay_finding can do it again'),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 2 * minuteMs, outputBytes: 256 * kibibyte },
  examples: [{ input: { run: 'latest', finding: '1f0c22ab' }, says: 'of the newest run, by the beginning of its id' }],
  async handle(input, { settings, out }) {
    const [{ loadKeptRun }, { chooseFinding }, { eventsAt }] = await Promise.all([
      import('../runs/load-run.ts'),
      import('../../../instruments/analyze/run/focus.ts'),
      import('../../../instruments/analyze/run/run-events.ts'),
    ]);
    const { report, folder, name } = await loadKeptRun(input.run, settings.values.home);
    const { subject, finding } = chooseFinding(report, input.finding);
    const proof = subject.analysis?.proofs.find((each) => each.finding === finding.id) ?? null;
    const positions = new Set(proof?.steps.flatMap(({ event }) => (event === undefined ? [] : [event])) ?? []);
    // A report may be here without its log.
    const found = await eventsAt(folder, positions).catch(() => new Map<number, object>());
    const events = [...found.values()].slice(0, 64).map((event) => visible(event, 1000));
    const { id, severity, evidenceClass, axis, rule, remediation } = finding;
    out.say(`Finding ${id} of run ${name}: ${severity}, evidence class ${evidenceClass}, ${axis}, rule ${rule}.`);
    const shown = visible(finding, 4000);
    const proven = proof === null ? null : visible(proof, 4000);
    const material = { finding: shown, ...(proven === null ? {} : { proof: proven }) };
    out.quote({ label: `finding ${id} and its proof`, text: JSON.stringify(material, null, 1) });
    out.say(`Remedy: ${remediation}`);
    const canReplay = proof?.replay !== undefined;
    out.say(canReplay ? 'replay_finding does it again.' : 'It cannot be done again alone.');
    return { run: name, finding: shown, proof: proven, events, can_replay: canReplay };
  },
});
