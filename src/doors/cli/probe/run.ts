import { exitCodes, UsageError } from '../../../base/errors.ts';
import type { Report } from '../../../base/report-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { makeReport, ruleTextsOf } from '../../../instruments/probe/report/make-report.ts';
import { objectToTime } from '../../../instruments/probe/scope/index.ts';
import { planSequence, type SequencePlan } from '../../../instruments/probe/sequence/plan.ts';
import { Sequence, type SequenceEvent } from '../../../instruments/probe/sequence/run-sequence.ts';
import type { ProbeFlags } from '../../settings/index.ts';
import { recordedScan } from '../../tools/probe/recorded-scan.ts';
import { readVersion } from '../../tools/version.ts';
import type { Door } from '../definition.ts';
import { renderReport } from '../scan/render.ts';
import { type OutputFile, readFormat, readOutputs, readSeverity } from '../scan/wishes.ts';
import { writeFileOrFail } from '../scan/words.ts';
import { count, renderRows, type Terminal } from '../terminal/index.ts';
import { withProbe } from './open.ts';
import { exitCodeOfScans } from './scan.ts';

/** `hotcell probe run`: the plan, then everything that it says, then the report. */

export interface RunWishes extends ProbeFlags {
  readonly plan: boolean;
  readonly format?: string | undefined;
  readonly output: readonly string[];
  readonly failOn?: string | undefined;
  readonly details: boolean;
}

const safe = (text: string): string => forTerminal(untrusted(text, 600));

function leftOutText({ leftOut, hosts }: SequencePlan): string {
  return `${count(leftOut, 'further address', 'further addresses')} of the scope left out: one run looks at ${hosts.length}`;
}

export function renderSequencePlan(
  plan: SequencePlan,
  scope: { name: string; fingerprint: string },
  objection: string | null,
  terminal: Terminal,
): string {
  const { style, width } = terminal;
  const rows = plan.steps.map(({ scanner, target, when }) => [style.code(scanner), safe(target), style.faint(when)]);
  const missing = plan.missing.map(({ scanner, because }) => [style.warn(scanner), because]);
  return [
    `${style.strong('Plan')}  scope ${safe(scope.name)} ${style.faint(scope.fingerprint.slice(0, 12))}, ${count(plan.hosts.length, 'host')}\n`,
    ...(objection === null ? [] : [`  ${style.bad(`nothing of it can be done now: ${safe(objection)}`)}\n`]),
    renderRows(rows, { width }),
    ...(plan.leftOut === 0 ? [] : [`  ${style.warn(leftOutText(plan))}\n`]),
    ...(missing.length === 0 ? [] : [`${style.strong('Not available')}\n${renderRows(missing, { width })}`]),
  ].join('');
}

function tellSteps({ stderr, errorTerminal, settings }: Door): (event: SequenceEvent) => void {
  const { style, symbols } = errorTerminal;
  const marks = {
    started: style.faint(symbols.arrow),
    ended: style.good(symbols.good),
    unfinished: style.warn(symbols.warn),
    failed: style.bad(symbols.bad),
  };
  return ({ scanner, target, is, words }) => {
    if (settings.values.logLevel === 'quiet') return;
    stderr.write(`${marks[is]} ${scanner} ${safe(target)}${words === '' ? '' : style.faint(`  ${safe(words)}`)}\n`);
  };
}

export async function showReport(
  report: Report,
  door: Door,
  {
    format,
    outputs,
    isDetailed,
  }: { format: ReturnType<typeof readFormat>; outputs: readonly OutputFile[]; isDetailed: boolean },
): Promise<void> {
  const input = { report, rules: ruleTextsOf(report), boms: report.subjects.map(() => null) };
  for (const { path, renderer } of outputs) await writeFileOrFail(path, door.caller.folder, renderer.render(input));
  if (format !== null) door.stdout.write(format.render(input));
  else if (outputs.length === 0) door.stdout.write(renderReport(report, door.terminal, { isDetailed }));
}

export async function runProbeRun(wishes: RunWishes, door: Door): Promise<number> {
  const failOn = readSeverity(wishes.failOn);
  const format = readFormat(wishes.format);
  const outputs = readOutputs(wishes.output);
  return withProbe(wishes, door, async ({ probe, record, signal }) => {
    const plan = await planSequence(probe);
    const objection = objectToTime(probe.scope, Date.now());
    if (objection !== null && !wishes.plan) throw new UsageError(objection, { code: 'OUT_OF_TIME' });
    const out = wishes.plan ? door.stdout : door.stderr;
    out.write(renderSequencePlan(plan, probe.scope, objection, wishes.plan ? door.terminal : door.errorTerminal));
    if (wishes.plan) return exitCodes.clean;
    const sequence = new Sequence(probe, plan, {
      signal,
      tell: tellSteps(door),
      scan: (scanner, input) => recordedScan(probe, scanner, input, { record, signal, progress: () => undefined }),
    });
    const { scans, failures: failed, isCut } = await sequence.run(plan.hosts);
    const failures = plan.leftOut === 0 ? failed : [...failed, leftOutText(plan)];
    const report = makeReport(scans, await readVersion(), plan.missing);
    const isComplete = report.isComplete && failures.length === 0 && !isCut;
    await showReport({ ...report, isComplete }, door, {
      format,
      outputs,
      isDetailed: wishes.details,
    });
    for (const failure of failures) door.stderr.write(`hotcell: not done: ${safe(failure)}\n`);
    const code = exitCodeOfScans(scans, failOn);
    return code === exitCodes.clean && failures.length > 0 ? exitCodes.incomplete : code;
  });
}
