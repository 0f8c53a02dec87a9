import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { count, handleField, sampleHandle, shownText } from './fields.ts';

const modes = ['default-deny', 'audit-only'] as const;
const states = ['applied', 'refused', 'waiting', 'not-running'] as const;

const explained: Readonly<Record<(typeof states)[number], string>> = {
  applied: 'Every box of it that runs goes by these rules now.',
  refused: 'A box that runs could not be told: see runningBoxes.',
  waiting: 'A box that runs has not answered yet: call again to see.',
  'not-running': 'No box of it runs; the rules hold from its next start.',
};

export const injectEgressPolicy = defineTool({
  name: 'inject_egress_policy',
  title: 'Change where a running server may connect to',
  description:
    "Puts a list of hosts in the place of those that a registered server may connect to. Boxes of it that run are told at once: connections that the list does not hold are reset, names that it does not hold no longer exist. audit-only lets every public host through and only counts what is not listed; addresses of this machine's own networks stay closed. Returns what became of it in each box, and how many attempts were blocked so far.",
  toolset: 'guard',
  input: z.strictObject({
    subprocessHandle: handleField,
    allowlist: z
      .array(z.string().min(1).max(500))
      .max(256)
      .default([])
      .describe('host:port, .suffix:port, host:*, [v6]:port or *; an empty list is nobody'),
    mode: z.enum(modes).default('default-deny').describe('whether what is not listed is refused or only counted'),
  }),
  output: z.strictObject({
    applied: z.boolean().describe('every box of it that runs goes by these rules; false when none runs'),
    state: z.enum(states),
    mode: z.enum(modes),
    order: count.describe('counts the changes for this handle'),
    blockedAttempts: count.describe('connections, datagrams and names that were refused, over all of its boxes'),
    unlistedAttempts: count.describe('connections that were let through without being listed'),
    runningBoxes: z
      .array(
        z.strictObject({
          boxId: z.string().max(4000),
          pid: count,
          applied: z.boolean(),
          why: shownText.nullable(),
        }),
      )
      .max(1000),
  }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 256 * kibibyte },
  examples: [
    { input: { subprocessHandle: sampleHandle, allowlist: ['api.example.com:443'] }, says: 'one host and nobody else' },
    { input: { subprocessHandle: sampleHandle, mode: 'audit-only' }, says: 'see where it would go' },
  ],
  async handle({ subprocessHandle, allowlist, mode }, { settings, record, out, signal }) {
    const [{ openRegistry, readAllowlist }, { openGuardStore }, { awaitEgress }] = await Promise.all([
      import('../../../instruments/guard/registry/index.ts'),
      import('./guard-store.ts'),
      import('./await-egress.ts'),
    ]);
    using store = openGuardStore(settings.values.home);
    const registry = openRegistry(store);
    const { serverId, policyFingerprint } = registry.get(subprocessHandle);
    const rules = readAllowlist(allowlist);
    await record({
      tool: 'inject_egress_policy',
      what: 'change where it may connect to',
      action: 'egress.inject',
      verdict: 'changed',
      server: serverId,
      policy: policyFingerprint,
      details: { subprocessHandle, mode, rules: rules.map(({ host, port }) => `${host} ${port}`) },
    });
    const { number } = registry.injectEgress(subprocessHandle, { allowlist, mode });
    const { state, egress } = await awaitEgress(registry, subprocessHandle, number, signal);
    const { blocked, unlisted } = egress.attempts;
    out.say(`${explained[state]} Blocked so far: ${blocked}; let through without being listed: ${unlisted}.`);
    return {
      applied: state === 'applied',
      state,
      mode,
      order: number,
      blockedAttempts: blocked,
      unlistedAttempts: unlisted,
      runningBoxes: egress.running.map(({ guard: { boxId, pid, egress: heard } }) => ({
        boxId,
        pid,
        applied: heard !== null && heard.number >= number && heard.isApplied,
        why: heard === null || heard.number < number ? 'it has not answered yet' : heard.why,
      })),
    };
  },
});
