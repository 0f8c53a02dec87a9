import { statSync } from 'node:fs';
import { exitCodes, HostError, UsageError } from '../../../base/errors.ts';
import type { Event } from '../../../base/event-schema.ts';
import type { BoxRecord, SpawnOptions } from '../../../engine/box/contract.ts';
import type { NetEvent } from '../../../engine/net/event.ts';
import { needOf } from '../../../engine/policy/learn/observation.ts';
import type { MessageRule, RuleContext } from '../contract.ts';
import { closedFolder, walking } from '../launch/open-way.ts';
import type { GateOptions } from '../stream/contract.ts';
import { openBridge } from './bridged.ts';
import { CanaryEyes } from './canary-eyes.ts';
import type { GuardedOptions } from './contract.ts';
import { Drift, type DriftFact } from './drift.ts';
import { EgressNotes, egressEventOf } from './egress-notes.ts';
import { describeRefusal, judgeGaps } from './gaps.ts';
import { Guarded } from './guarded.ts';
import { limitTelling } from './limited-tell.ts';
import { ToolCalls } from './observe-tools.ts';
import { openPlain, openWatched, type ServerPlace } from './place.ts';
import { RunLedger } from './run-ledger.ts';
import { refusalEntry, startEntry } from './start-entry.ts';
import { passOn, tapStderr } from './stderr-tap.ts';
import { chooseWorkingFolder } from './working-folder.ts';

/** Makes the box, proves it, writes the start down, lets the server go and puts the relay in front of it. */

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Everything that is told about one run, by whoever notices it. */
class Reporter {
  readonly #options: GuardedOptions;
  readonly #tell: (line: string) => void;
  readonly #ready = Promise.withResolvers<RunLedger>();
  readonly egress: EgressNotes;
  readonly calls: ToolCalls;
  #drift: Drift | null = null;
  #ledger: RunLedger | null = null;

  constructor(options: GuardedOptions) {
    this.#options = options;
    const { name, tell = () => undefined } = options;
    const limited = limitTelling(tell);
    this.#tell = (line) => limited(`${name}: ${line}`);
    this.calls = new ToolCalls((tool) => this.#report(this.#drift?.tool(tool) ?? null));
    this.egress = new EgressNotes(this.#ready.promise, {
      onHost: (host, port) => this.#report(this.#drift?.host(host, port) ?? null),
      onRefused: (host, port, because) =>
        this.#tell(`refused a connection to ${host}${port === 0 ? '' : `:${port}`} (${because})`),
    });
    // Nobody waits for it when the ledger cannot be opened.
    this.#ready.promise.catch(() => undefined);
  }

  get tell(): (line: string) => void {
    return this.#tell;
  }

  start(ledger: RunLedger, { folders }: ServerPlace): void {
    const { policy, server } = this.#options;
    const own = server.files.map(({ path }) => path);
    this.#drift = new Drift(policy, { own, boxFolders: [folders.home, folders.work, folders.tmp] }, isFile);
    this.#ledger = ledger;
    this.#ready.resolve(ledger);
  }

  giveUp(error: unknown): void {
    this.#ready.reject(error);
  }

  /** What the sensors of a watched box see. */
  async takeEvents(events: readonly Event[]): Promise<void> {
    await this.egress.take(events.flatMap((event) => egressEventOf(event) ?? []));
    if (this.#drift === null) return;
    for (const event of events) {
      const need = needOf(event);
      if (need?.kind === 'program') this.#report(this.#drift.program(need.path));
      else if (need?.kind === 'file') this.#report(this.#drift.file(need.path, need.access));
    }
  }

  #report(fact: DriftFact | null): void {
    if (fact === null) return;
    this.#tell(`drift: the policy allows the ${fact.kind} ${fact.what}, but it was never seen before`);
    this.#ledger?.mention({ action: 'drift.seen', verdict: 'noted', rule: `drift/${fact.kind}`, details: { ...fact } });
  }
}

/** Root's boxes run as users of their own; some have to be let through by every folder on the way, all by the last one. */
function canEnter(folder: string, isShown: boolean, { backend }: BoxRecord): boolean {
  if (process.getuid?.() !== 0) return true;
  if (walking.includes(backend)) return closedFolder(folder) === null;
  return !isShown || (statSync(folder).mode & 0o001) !== 0;
}

function spawnOptions(options: GuardedOptions, record: BoxRecord, tell: (line: string) => void): SpawnOptions {
  const { policy, server, environment } = options;
  const { cwd, problems } = chooseWorkingFolder({
    server,
    policy,
    canEnter: (folder, isShown) => canEnter(folder, isShown, record),
  });
  problems.forEach(tell);
  return { ...(environment === undefined ? {} : { environment }), ...(cwd === undefined ? {} : { cwd }) };
}

async function openPlace(options: GuardedOptions, reporter: Reporter, eyes: CanaryEyes): Promise<ServerPlace> {
  const { policy, box, watchFolder: folder, mode } = options;
  if (folder !== undefined) {
    const onEvents = (events: readonly Event[]): Promise<void> => reporter.takeEvents(events);
    return openWatched(policy, { box, folder, onEvents, inspect: eyes.inspect });
  }
  if (mode === 'learn') throw new UsageError('learning needs a folder for what is seen');
  const onNetEvents = async (events: readonly NetEvent[]): Promise<void> => {
    await reporter.egress.take(events);
    await eyes.lookUp(events);
  };
  return openPlain(policy, { box, onNetEvents, inspect: eyes.inspect });
}

export async function runGuarded(options: GuardedOptions): Promise<Guarded> {
  const { name, policy, mode, server, allowedGaps = [], tell = () => undefined } = options;
  const reporter = new Reporter(options);
  const failure = new AbortController();
  const eyes = new CanaryEyes({
    server: name,
    mode,
    onHits: (hits, where) => {
      // Whoever searches writes it down; here it is only told.
      for (const { plantedIn } of hits) reporter.tell(`a canary of ${plantedIn} is in ${where}`);
    },
  });
  await using undo = new AsyncDisposableStack();
  // Whatever fails first, the others are waited for: a box that comes late has to be closed as well.
  const [recorded, opened] = await Promise.allSettled([options.recorder, openPlace(options, reporter, eyes)]);
  if (opened.status === 'fulfilled') undo.defer(() => opened.value.close());
  if (recorded.status === 'rejected' || opened.status === 'rejected') {
    const { reason } = [recorded, opened].find((each) => each.status === 'rejected') ?? { reason: null };
    reporter.giveUp(reason);
    eyes.giveUp(reason);
    throw reason;
  }
  const [recorder, place] = [recorded.value, opened.value];
  const { record } = place;
  const ledger = new RunLedger(recorder, {
    server: name,
    policy: record.fingerprint,
    onFailure: (error) => failure.abort(error),
  });
  reporter.start(ledger, place);
  const { accepted, refused } = judgeGaps(policy, record, allowedGaps);
  const facts = {
    server,
    policy,
    mode,
    record,
    isWatched: options.watchFolder !== undefined,
    variables: Object.keys(options.environment ?? {}),
  };
  if (refused.length > 0) {
    await ledger.write(refusalEntry({ ...facts, refused }, recorder.ledger));
    const { message, hint } = describeRefusal(record.backend, refused);
    throw new HostError(message, { exitCode: exitCodes.noIsolation, hint });
  }
  await ledger.write(startEntry({ ...facts, accepted }, recorder.ledger));
  // A connection that waits to be looked at must not wait for ever.
  undo.defer(() => eyes.giveUp(new HostError('the server was not started')));
  const child = await place.spawn(server.argv, spawnOptions(options, record, reporter.tell));
  const [messages, { MessageRelay }, { MessageGate }] = await Promise.all([
    options.openMessages(),
    import('../stream/relay.ts'),
    import('../stream/gate.ts'),
  ]);
  tell(`${name}: ${record.backend} box, policy ${policy.name} (${record.fingerprint.slice(0, 12)}), mode ${mode}`);
  tapStderr({
    from: child.stderr,
    to: options.errorOutput ?? null,
    server: name,
    canaries: messages.canaries,
    onHits: (hits) => {
      // Whoever searches writes it down; here it is only told.
      for (const { plantedIn } of hits) reporter.tell(`a canary of ${plantedIn} is in what it writes to stderr`);
    },
  });
  const { pins, canaries, instructions } = messages;
  eyes.open(canaries);
  const context: RuleContext = { server: name, mode, policy, pins, canaries, instructions };
  const gateOptions = (rules: readonly MessageRule[]): GateOptions => ({
    rules: [...rules, reporter.calls.rule],
    context,
    recorder,
    policy: record.fingerprint,
    onHit: (hit, outcome) => {
      if (outcome === 'noted' && mode === 'enforce') return;
      reporter.tell(`${outcome}: ${hit.rule}: ${hit.what}${hit.remedy === '' ? '' : ` (${hit.remedy})`}`);
    },
  });
  const { client, innerPort, signal } = options;
  const bridge =
    innerPort === undefined
      ? null
      : await openBridge(place, { port: innerPort, ended: child.exited, signal, tell: reporter.tell });
  if (bridge !== null) undo.defer(() => bridge.close());
  const streams = bridge ?? { input: child.stdout, output: child.stdin };
  const relay = client === null ? null : new MessageRelay({ ...gateOptions(messages.rules), client, server: streams });
  // What a server prints that does not speak over stdout is for people.
  if (relay === null || bridge !== null) passOn(child.stdout, options.errorOutput ?? null);
  undo.move();
  return new Guarded({
    name,
    policy,
    acceptedGaps: accepted,
    place,
    child,
    relay,
    eyes,
    bridge,
    openGate: () => new MessageGate(gateOptions(messages.renewRules?.() ?? messages.rules)),
    ledger,
    egress: reporter.egress,
    calls: reporter.calls,
    failure: failure.signal,
    signal: options.signal,
  });
}
