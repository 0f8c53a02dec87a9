import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { digits, handleField, sampleHandle, shownText } from './fields.ts';

const verdicts = ['approve', 'block', 'quarantine'] as const;
const parts = ['binary', 'arguments', 'environment', 'folder', 'command-shape'] as const;

export const auditSubprocess = defineTool({
  name: 'audit_subprocess',
  title: 'Check a launch against what was registered',
  description:
    'Compares what is about to be started with what was registered: program, arguments, names of variables and working folder, after characters that cannot be seen or that look alike have been brought to one form; and whether the command has a shape that is known to be exploitable. approve: all of it is as registered. block: something differs or is exploitable. quarantine: something reads the same and is not, so a person should look. The decision is written to the ledger.',
  toolset: 'guard',
  input: z.strictObject({
    subprocessHandle: handleField,
    requestedArgs: z.array(z.string().max(4000)).max(256).describe('the arguments that are to be used, word by word'),
    requestedBinary: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('the program; without it only the rest is compared'),
    environment: z
      .array(z.string().min(1).max(200))
      .max(1000)
      .optional()
      .describe('names of the variables that are to be passed'),
    cwd: z.string().min(1).max(4000).optional().describe('the folder that it is to be started in'),
  }),
  output: z.strictObject({
    verdict: z.enum(verdicts),
    reason: shownText,
    checks: z
      .array(
        z.strictObject({
          part: z.enum(parts),
          is: z.enum(['pass', 'fail', 'suspect', 'not-asked']),
          why: shownText,
        }),
      )
      .max(16),
    profileFingerprint: digits(32),
    policyFingerprint: digits(64),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 256 * kibibyte },
  examples: [
    {
      input: { subprocessHandle: sampleHandle, requestedArgs: ['/srv/files/server.js', '/data'] },
      says: 'the arguments alone',
    },
    {
      input: {
        subprocessHandle: sampleHandle,
        requestedBinary: 'node',
        requestedArgs: ['/srv/files/server.js', '/data'],
        environment: ['HOME', 'PATH'],
        cwd: '{work}',
      },
      says: 'everything that a launch consists of',
    },
  ],
  async handle(input, { settings, record, out }) {
    const [{ openRegistry }, { openGuardStore }] = await Promise.all([
      import('../../../instruments/guard/registry/index.ts'),
      import('./guard-store.ts'),
    ]);
    using store = openGuardStore(settings.values.home);
    const registry = openRegistry(store);
    const { subprocessHandle, ...request } = input;
    const { serverId, profileFingerprint, policyFingerprint } = registry.get(subprocessHandle);
    const { verdict, reason, checks } = registry.audit(subprocessHandle, request);
    await record({
      tool: 'audit_subprocess',
      what: 'audit',
      action: 'subprocess.audit',
      verdict: verdict === 'approve' ? 'allowed' : 'refused',
      server: serverId,
      policy: policyFingerprint,
      ...(verdict === 'approve' ? {} : { rule: `subprocess/${verdict}` }),
      details: {
        subprocessHandle,
        decision: verdict,
        checks: Object.fromEntries(checks.map(({ part, is }) => [part, is])),
      },
      secrets: { requestedArgs: JSON.stringify(input.requestedArgs) },
    });
    out.say(`${verdict}: ${reason}.`);
    return { verdict, reason, checks: [...checks], profileFingerprint, policyFingerprint };
  },
});
