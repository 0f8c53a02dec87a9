import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { UsageError } from '../../../base/errors.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import type { LedgerWriter } from '../../../engine/ledger/contract.ts';
import { accessAt, cleanPath, indexAccess } from '../../../engine/policy/paths.ts';
import type { StoreHandle } from '../../../engine/store/contract.ts';
import type { GuardMode, PreparedServer } from '../contract.ts';
import type { BoxWishes, ClientStreams, GuardedEnd, GuardedServer, MessageRules } from './contract.ts';
import { effectivePolicy, type GivenPolicy, listedVariables, noFlags, type PolicyFlags } from './effective-policy.ts';
import type { Guarded } from './guarded.ts';
import { policyFile, readLearnt } from './learnt-file.ts';
import { runGuarded } from './run-guarded.ts';

/** From the words of a launch command to a guarded server: what every door does in the same way. */

/** What all sessions of one process share. */
export interface GuardHome {
  /** Hotcell's own folder. */
  readonly folder: string;
  readonly box: BoxWishes;
  /** It may still be opening. */
  readonly ledger: Promise<LedgerWriter>;
  /** Opened when it is first asked for. */
  store(): Promise<StoreHandle>;
}

export interface SessionWishes {
  readonly server: PreparedServer;
  /** Default: made from the subject. */
  readonly name?: string;
  /** Default: what was learnt for this server, else `fallback`. */
  readonly given?: GivenPolicy;
  readonly fallback: GivenPolicy;
  readonly flags?: PolicyFlags;
  /** Tokens that are planted through this server: in its results, and as values of these variables. */
  readonly canaries?: { readonly inResults: boolean; readonly variables: readonly string[] };
  /** For a client over stdio: the port in its box of a server that speaks HTTP. */
  readonly innerPort?: number;
  /** It is to have a network that can be entered, and told of hosts later, even when nothing leads out of it. */
  readonly needsNetwork?: boolean;
  readonly mode: GuardMode;
  readonly instructions: MessageRules['instructions'];
  /** Values for variables that the flags name. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the caller: a policy file may list names that are passed on. */
  readonly callerEnvironment?: Readonly<Record<string, string | undefined>>;
  readonly allowedGaps: readonly string[];
  readonly watchFolder?: string;
  /** Default: the file of this server below Hotcell's own folder. */
  readonly learnTo?: string;
}

export interface SessionStreams {
  readonly client: ClientStreams | null;
  readonly errorOutput?: Writable;
  readonly tell?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface Session {
  readonly server: GuardedServer;
  /** As of the server; of a session that learns, when the policy is written. */
  readonly ended: Promise<GuardedEnd>;
}

/** `npm:@scope/server-files` is called server-files. */
export function nameOf({ subject }: Pick<PreparedServer, 'subject'>): string {
  const last = subject.split(/[:/]/).findLast((part) => part !== '') ?? 'server';
  return last.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100) || 'server';
}

/** What a server that reads it could forge decisions with, or find out about its guard. */
const ownFiles = [
  'ledger',
  'ledger/keys',
  'config.json',
  'guard/state.sqlite',
  'guard/policies',
  'guard/launches',
] as const;

function refuseOwnFolder(policy: Policy, home: string): void {
  const index = indexAccess(policy.files);
  const shown = ownFiles.map((name) => join(home, name)).find((path) => accessAt(index, cleanPath(path)).read);
  if (shown === undefined) return;
  throw new UsageError(`the policy "${policy.name}" would show the server ${shown}, which is the guard's own`, {
    hint: 'name the folders that it needs, or keep Hotcell elsewhere with HOTCELL_HOME',
  });
}

async function choosePolicy({ folder }: GuardHome, wishes: SessionWishes): Promise<GivenPolicy> {
  if (wishes.given !== undefined) return wishes.given;
  const learnt = await readLearnt(policyFile(folder, wishes.server.subject));
  return learnt === null ? wishes.fallback : { policy: learnt, isPreset: false };
}

/** A gate that lets nobody through can be told of hosts later; no network at all cannot. */
function withGate(policy: Policy): Policy {
  return policy.network.mode === 'none' ? { ...policy, network: { mode: 'allowlist', rules: [] } } : policy;
}

/** Values that the server has no use for, and that are known when they turn up elsewhere. */
async function plantVariables(
  home: GuardHome,
  { canaries }: SessionWishes,
  server: string,
): Promise<Readonly<Record<string, string>>> {
  if (canaries === undefined || canaries.variables.length === 0) return {};
  const [{ plantInEnvironment }, store] = await Promise.all([import('../canaries/index.ts'), home.store()]);
  return Object.fromEntries(canaries.variables.map((name) => [name, plantInEnvironment({ store, server }, name)]));
}

async function openMessages(
  home: GuardHome,
  { server, mode, instructions, canaries }: SessionWishes,
  name: string,
  session: string,
): Promise<MessageRules> {
  const [{ openToolPins }, { openCanaryWatch, plantInResults }, { createMessageRules, readRuleTables }, store, ledger] =
    await Promise.all([
      import('../tool-pins/index.ts'),
      import('../canaries/index.ts'),
      import('../rules/index.ts'),
      home.store(),
      home.ledger,
    ]);
  const tables = readRuleTables();
  const planted = canaries?.inResults === true ? [plantInResults({ store, server: name })] : [];
  const renewRules = (): MessageRules['rules'] => [
    ...createMessageRules({ tables, hashSecret: (secret) => ledger.hashSecret(secret) }),
    ...planted,
  ];
  return {
    rules: renewRules(),
    renewRules,
    pins: openToolPins({ store, server: name, subject: server.subject, mode }),
    canaries: openCanaryWatch({ store, server: name, recorder: { ledger, session } }),
    instructions,
  };
}

/** A trial that was forgotten is told every time, to whoever reads stderr and to whoever reads the ledger. */
async function tellStaleMode(
  home: GuardHome,
  guarded: Guarded,
  mode: GuardMode,
  tell: (line: string) => void,
): Promise<void> {
  const { noteMode, staleAfterDays } = await import('./audit-age.ts');
  const age = noteMode(await home.store(), guarded.name, mode, new Date());
  if (!age.isStale) return;
  tell(`${guarded.name}: mode audit since ${age.since} (${age.days} days): nothing is refused; use --mode enforce`);
  await guarded.note({
    action: 'mode.stale',
    verdict: 'noted',
    rule: 'mode/audit',
    details: { since: age.since, days: age.days, longestDays: staleAfterDays },
  });
}

async function learnAfter(
  home: GuardHome,
  guarded: Guarded,
  wishes: SessionWishes,
  tell: (line: string) => void,
): Promise<void> {
  const { watchFolder, server } = wishes;
  if (watchFolder === undefined) return;
  const { status } = await guarded.ended;
  const [{ learnSession }, { readEvents }] = await Promise.all([
    import('./learn.ts'),
    import('../../../engine/sensor/event-log.ts'),
  ]);
  const { policy, refused } = await learnSession(() => readEvents(join(watchFolder, 'events.ndjson')), {
    name: `learnt for ${server.subject}`.slice(0, 200),
    folders: guarded.folders,
    variables: Object.keys(wishes.environment),
    peakMemoryBytes: status.peakMemoryBytes,
    inForce: guarded.policy,
    own: server.files.map(({ path }) => path),
    tools: guarded.toolCalls,
    session: guarded.session,
  });
  const file = wishes.learnTo ?? policyFile(home.folder, server.subject);
  const { keepLearnt } = await import('./keep-learnt.ts');
  const kept = await keepLearnt(file, policy);
  const { fingerprintPolicy } = await import('../../../engine/policy/canonical.ts');
  const details = {
    file,
    fingerprint: fingerprintPolicy(kept),
    files: kept.files.length,
    hosts: kept.network.rules.length,
    refused: refused.length,
  };
  await guarded.note({ action: 'policy.learn', verdict: 'changed', details });
  tell(`${guarded.name}: learnt: ${file}`);
}

export async function openSession(home: GuardHome, wishes: SessionWishes, streams: SessionStreams): Promise<Session> {
  const { server, mode } = wishes;
  const { tell = () => undefined } = streams;
  const name = wishes.name ?? nameOf(server);
  const session = randomBytes(8).toString('hex');
  const given = await choosePolicy(home, wishes);
  const bait = await plantVariables(home, wishes, name);
  const flags = wishes.flags ?? noFlags;
  const variables = [...flags.variables, ...Object.keys(bait)];
  const asked = effectivePolicy(given, server, { ...flags, variables });
  const needsNetwork = wishes.needsNetwork === true || wishes.innerPort !== undefined;
  const policy = needsNetwork ? withGate(asked) : asked;
  refuseOwnFolder(policy, home.folder);
  const environment = { ...listedVariables(given, wishes.callerEnvironment ?? {}), ...wishes.environment, ...bait };
  const guarded = await runGuarded({
    server,
    name,
    policy,
    mode,
    client: streams.client,
    box: home.box,
    environment,
    allowedGaps: wishes.allowedGaps,
    ...(wishes.innerPort === undefined ? {} : { innerPort: wishes.innerPort }),
    ...(wishes.watchFolder === undefined ? {} : { watchFolder: wishes.watchFolder }),
    recorder: home.ledger.then((ledger) => ({ ledger, session })),
    openMessages: () => openMessages(home, wishes, name, session),
    tell,
    ...(streams.errorOutput === undefined ? {} : { errorOutput: streams.errorOutput }),
    ...(streams.signal === undefined ? {} : { signal: streams.signal }),
  });
  const work = Promise.all([
    tellStaleMode(home, guarded, mode, tell),
    ...(mode === 'learn' ? [learnAfter(home, guarded, { ...wishes, environment }, tell)] : []),
  ]);
  // What fails here must not leave a server running that nobody waits for.
  work.catch(() => guarded.stop());
  const ended = guarded.ended.then((end) =>
    work.then(
      () => end,
      (error: unknown): GuardedEnd => (end.reason === 'failed' ? end : { ...end, reason: 'failed', error }),
    ),
  );
  return { server: guarded, ended };
}
