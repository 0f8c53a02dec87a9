import { z } from 'zod';
import { kibibyte, mebibyte, minuteMs } from '../../../base/limits.ts';
import { tiers } from '../../../base/policy-schema.ts';
import { defineTool } from '../define-tool.ts';
import { digits, serverName, shownText } from './fields.ts';

const paths = z.array(z.string().min(1).max(4000)).max(256);
const text = z.string().max(4 * mebibyte);

const isolationProfile = z.strictObject({
  fsReadOnly: paths.optional().describe('files and folders that may also be read and executed'),
  fsWritable: paths.optional().describe('files and folders that may also be read and written, never executed'),
  cpuMs: z
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe(
      'CPU time in milliseconds that all of its processes may use together: the box is ended when that much could have been used at full load, after cpuMs divided by the cores of the tier',
    ),
  memMB: z.number().int().min(16).max(1_048_576).optional().describe('memory of all processes together, in MiB'),
  pidMax: z.number().int().min(1).max(65_536).optional().describe('processes and threads together'),
  egressAllowlist: z
    .array(z.string().min(1).max(500))
    .max(256)
    .optional()
    .describe("in place of the tier's: host:port, .suffix:port, host:*, [v6]:port or *; an empty list is nobody"),
});

export const registerSubprocess = defineTool({
  name: 'register_subprocess',
  title: 'Register a server with the policy that it may run under',
  description:
    'Registers the launch command of a server together with a policy: a trust tier and what is different from it. Returns the handle that the other tools take, fingerprints of what was registered, the whole policy, and what it becomes for landlock, bwrap, cgroup and seatbelt with everything that these cannot express. Nothing is started. The registration outlives this process.',
  toolset: 'guard',
  input: z.strictObject({
    serverId: serverName.describe('what the server is called'),
    binary: z.string().min(1).max(1000).describe('the program, by name or by its absolute path'),
    args: z.array(z.string().max(4000)).max(256).default([]).describe('its arguments, word by word'),
    trustTier: z.enum(tiers).describe('how much it is trusted; LOW is a stranger'),
    isolationProfile: isolationProfile.default({}).describe('what is different from the tier'),
  }),
  output: z.strictObject({
    subprocessHandle: z.string().max(40),
    profileFingerprint: digits(32).describe('of the command and its policy'),
    policyFingerprint: digits(64).describe('of the policy, as the ledger and hotcell policy name it'),
    policy: text.describe('a policy file of Hotcell'),
    policyDescriptors: z
      .array(
        z.strictObject({
          target: z.string().max(32),
          text,
          gaps: z
            .array(
              z.strictObject({
                id: z.string().max(96),
                what: shownText,
                effect: z.enum(['closed', 'open']).describe('closed: stricter than asked; open: weaker'),
              }),
            )
            .max(10_000),
        }),
      )
      .max(16),
    notes: z.array(shownText).max(1000),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 512 * kibibyte },
  examples: [
    {
      input: { serverId: 'files', binary: 'node', args: ['/srv/files/server.js', '/data'], trustTier: 'LOW' },
      says: 'as a stranger',
    },
    {
      input: {
        serverId: 'notes',
        binary: '/usr/bin/python3',
        args: ['/srv/notes/server.py'],
        trustTier: 'MEDIUM',
        isolationProfile: { fsReadOnly: ['/srv/notes'], memMB: 256, egressAllowlist: ['api.example.com:443'] },
      },
      says: 'with one host, one folder and less memory',
    },
  ],
  async handle(input, { settings, record, out }) {
    const [{ describePolicy, openRegistry }, { openGuardStore }, { formatJson }] = await Promise.all([
      import('../../../instruments/guard/registry/index.ts'),
      import('./guard-store.ts'),
      import('../../../base/format-json.ts'),
    ]);
    using store = openGuardStore(settings.values.home);
    const registry = openRegistry(store);
    const registered = registry.prepare(input);
    const { handle, subprocess, notes } = registered;
    const { profileFingerprint, policyFingerprint, policy } = subprocess;
    const policyDescriptors = describePolicy(policy).map((each) => ({ ...each, gaps: [...each.gaps] }));
    // Whoever is registered without anybody being told is not registered.
    await record({
      tool: 'register_subprocess',
      what: 'register',
      action: 'subprocess.register',
      server: input.serverId,
      policy: policyFingerprint,
      details: {
        subprocessHandle: handle,
        profileFingerprint,
        trustTier: input.trustTier,
        binary: input.binary,
        arguments: input.args.length,
      },
      secrets: { args: JSON.stringify(input.args) },
    });
    registry.keep(registered);
    const weaker = policyDescriptors.flatMap(({ gaps }) => gaps.filter(({ effect }) => effect === 'open')).length;
    out.say(`Registered as ${handle}, profile ${profileFingerprint}, policy ${policyFingerprint}.`);
    if (weaker > 0) out.say(`${weaker} gaps of the compiled forms are weaker than the policy: see policyDescriptors.`);
    for (const note of notes) out.say(`Note: ${note}`);
    return {
      subprocessHandle: handle,
      profileFingerprint,
      policyFingerprint,
      policy: formatJson(policy),
      policyDescriptors,
      notes: notes.slice(0, 1000),
    };
  },
});
