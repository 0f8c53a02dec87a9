import { TargetError } from '../../base/errors.ts';
import { asObject, asString, asStrings, isObject } from '../../base/json-shape.ts';
import { minuteMs } from '../../base/limits.ts';
import { forTerminal } from '../../base/untrusted.ts';
import { textOfError } from './answer-text.ts';
import { boundValue } from './bound-value.ts';
import { clientCapabilities } from './client-side.ts';
import type { ClientIdentity, Handshake } from './contract.ts';
import {
  defaultVersion,
  type Era,
  isModernVersion,
  legacyVersions,
  metaKeys,
  modernVersion,
  withEnvelope,
} from './era.ts';
import type { AskOptions, Peer, Reply } from './peer.ts';
import { Problems, shown } from './problems.ts';
import type { Framing, Wire } from './wire.ts';

/** Finds the version that a server speaks: first the one that was asked for, then whatever it might rather have. */

export interface HandshakeOptions {
  readonly identity: ClientIdentity;
  readonly protocolVersion?: string;
  readonly timeoutMs: number;
  readonly mostProblems: number;
}

interface Attempt {
  readonly version: string;
  readonly framing?: Framing;
}

export interface Agreement {
  readonly era: Era;
  readonly handshake: Handshake;
}

const longestInstructions = 64 * 1024;
const laterShare = 4;
const shortestWaitMs = 100;
/** Each wait has a limit of its own; this one is for what is left open meanwhile. */
const longestHandshakeMs = 10 * minuteMs;

/** After an error: a newer or an older version may be welcome. */
function otherVersions(tried: string, reply: Reply): readonly Attempt[] {
  const supported = reply.kind === 'error' ? asStrings(asObject(asObject(reply.error).data).supported) : [];
  const known: readonly string[] = [modernVersion, ...legacyVersions];
  const wanted = known.filter((version) => supported.includes(version));
  return [...new Set([...wanted, ...known])].filter((version) => version !== tried).map((version) => ({ version }));
}

/** After silence: it may wait for another form of message, or another first one. */
function otherForms(tried: string, wire: Wire): readonly Attempt[] {
  return [
    ...(wire.framing === 'lines' ? [{ version: tried, framing: 'content-length' as const }] : []),
    { version: isModernVersion(tried) ? defaultVersion : modernVersion },
    { version: '2024-11-05' },
  ].filter(({ version, framing }) => version !== tried || framing !== undefined);
}

interface Open {
  readonly version: string;
  /** How it was sent. */
  readonly framing: Framing | null;
  readonly reply: Promise<Reply>;
}

/** The first of those that were offered to be answered, or null when none is in that time. */
async function firstAnswer(open: readonly Open[], waitMs: number): Promise<{ to: Open; reply: Reply } | null> {
  const waited = Promise.withResolvers<null>();
  const timer = setTimeout(() => waited.resolve(null), waitMs);
  const answers = open.map(async (to) => ({ to, reply: await to.reply }));
  const first = await Promise.race([...answers, waited.promise]);
  clearTimeout(timer);
  return first;
}

export async function shakeHands(peer: Peer, wire: Wire, options: HandshakeOptions): Promise<Agreement> {
  const problems = new Problems(options.mostProblems);
  const over = new AbortController();
  try {
    const agreement = await offerAll(peer, wire, options, problems, over.signal);
    wire.agree(agreement.era.protocolVersion);
    if (!agreement.era.isModern) peer.notify('notifications/initialized');
    return agreement;
  } finally {
    over.abort();
  }
}

async function offerAll(peer: Peer, wire: Wire, options: HandshakeOptions, problems: Problems, signal: AbortSignal) {
  const laterMs = Math.min(options.timeoutMs, Math.max(shortestWaitMs, Math.floor(options.timeoutMs / laterShare)));
  const usual = wire.framing;
  const left: Attempt[] = [{ version: options.protocolVersion ?? defaultVersion }];
  // A server that takes long to start answers what was offered first: no offer is taken back.
  let open: readonly Open[] = [];
  let hasAnswered = false;
  for (let round = 0; left.length > 0; round += 1) {
    const attempt: Attempt = left.shift() ?? { version: defaultVersion };
    if (attempt.framing !== undefined) wire.framing = attempt.framing;
    const reply = offer(peer, attempt.version, options.identity, { timeoutMs: longestHandshakeMs, signal });
    open = [...open, { version: attempt.version, framing: wire.framing, reply }];
    const first = await firstAnswer(open, round === 0 ? options.timeoutMs : laterMs);
    if (first === null) {
      problems.add(`${attempt.version}: no answer in time`);
      if (attempt.framing !== undefined) wire.framing = usual;
      if (round === 0) left.push(...otherForms(attempt.version, wire));
      continue;
    }
    const { version, framing } = first.to;
    open = open.filter((each) => each !== first.to);
    const agreement = first.reply.kind === 'result' ? agree(version, first.reply.result, problems) : null;
    // Whatever it says, it has understood how we spoke.
    if (wire.framing !== framing) wire.framing = framing;
    if (agreement !== null) return agreement;
    problems.add(`${version}: ${describe(first.reply)}`);
    if (peer.isGone) break;
    if (!hasAnswered) left.splice(0, left.length, ...otherVersions(version, first.reply));
    hasAnswered = true;
  }
  throw new TargetError(`handshake: the server agreed on no version of the protocol: ${problems.list.join('; ')}`);
}

function offer(peer: Peer, protocolVersion: string, identity: ClientIdentity, options: AskOptions): Promise<Reply> {
  const { name, version } = identity;
  if (isModernVersion(protocolVersion)) {
    return peer.ask('server/discover', withEnvelope({}, { protocolVersion, isModern: true }, identity), options);
  }
  const params = { protocolVersion, capabilities: clientCapabilities, clientInfo: { name, version } };
  return peer.ask('initialize', params, options);
}

function describe(reply: Reply): string {
  if (reply.kind === 'timeout') return 'no answer in time';
  if (reply.kind === 'error') return `an error: ${forTerminal(textOfError(reply.error, 200))}`;
  return reply.kind === 'result' ? 'an answer that is none' : reply.because;
}

/** Null where the result says nothing of what a handshake is for. */
function agree(offered: string, result: unknown, problems: Problems): Agreement | null {
  if (!isObject(result)) return null;
  const isModern = isModernVersion(offered);
  const protocolVersion = isModern
    ? versionOfDiscovery(offered, result, problems)
    : versionOf(offered, result, problems);
  if (protocolVersion === null) return null;
  const info = asObject((isModern ? asObject(result._meta)[metaKeys.serverInfo] : undefined) ?? result.serverInfo);
  if (!isObject(result.capabilities)) problems.add('the handshake has no capabilities');
  if (!isModern && asString(info.name) === undefined) problems.add('the server gives no name');
  const instructions = asString(result.instructions);
  if (instructions !== undefined && instructions.length > longestInstructions)
    problems.add('the instructions were cut');
  return {
    era: { protocolVersion, isModern },
    handshake: {
      protocolVersion,
      serverName: asString(info.name)?.slice(0, 1000) ?? '',
      serverVersion: asString(info.version)?.slice(0, 1000) ?? '',
      capabilities: asObject(
        boundValue(asObject(result.capabilities), { depth: 16, values: 1000, characters: 65_536 }),
      ),
      ...(instructions === undefined ? {} : { instructions: instructions.slice(0, longestInstructions) }),
      problems: problems.list,
    },
  };
}

function versionOf(offered: string, result: Readonly<Record<string, unknown>>, problems: Problems): string | null {
  const version = asString(result.protocolVersion);
  if (version === undefined) {
    if (!isObject(result.capabilities) && !isObject(result.serverInfo)) return null;
    problems.add('the server answers without a protocol version');
    return offered;
  }
  if (![...legacyVersions, modernVersion, offered].includes(version)) {
    problems.add(`the server answers with the protocol version ${shown(version)}, which is not known`);
  }
  return version.slice(0, 40);
}

function versionOfDiscovery(
  offered: string,
  result: Readonly<Record<string, unknown>>,
  problems: Problems,
): string | null {
  const supported = asStrings(result.supportedVersions);
  if (supported.length === 0 && !isObject(result.capabilities)) return null;
  if (!supported.includes(offered)) problems.add(`the server discovers itself without supporting ${shown(offered)}`);
  return offered;
}
