import { setTimeout as wait } from 'node:timers/promises';
import type { RequestFunction } from '../../../../targets/conversation/index.ts';
import { type Answer, askOnce, messageOf, type Question, usualHeaders } from './ask.ts';
import type { HttpTarget } from './contract.ts';
import type { HttpCheckLimits } from './limits.ts';
import { isInside, isLoopbackAddress, type Reach, reachOf } from './reach.ts';
import { type Visit, visit } from './visit.ts';

/** What all checks of one server share: ways to ask it, within limits, and what is known already. */

/** Names that stand for a page of somebody else, and for a name of theirs that leads to this machine. */
export const foreign = { page: 'https://page.example', host: 'rebound.example' } as const;

export type Stranger = 'plain' | 'page' | 'rebound';

export interface Session {
  /** Headers with which the session is continued. */
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string | null;
  readonly answer: Answer;
}

export interface Bench {
  readonly target: HttpTarget;
  readonly reach: Reach;
  /** That others cannot reach it is, at least in part, what keeps it: web pages must not get around that. */
  readonly isInside: boolean;
  /** A conversation without any credential, as this client or as somebody else. Made once. */
  visitAs(stranger: Stranger): Promise<Visit>;
  /** Whether it told a stranger as much as it tells a plain client. */
  serves(visited: Visit): Promise<boolean>;
  /** Another place of the same server, as somebody else. */
  visitAt(path: string, stranger: Stranger): Promise<Visit>;
  headersOf(stranger: Stranger): Readonly<Record<string, string>>;
  /** One exchange without credential, at the endpoint where no path is given. */
  ask(question: Omit<Question, 'path'> & { readonly path?: string }): Promise<Answer | null>;
  /** Null where the server knows no `initialize`. */
  open(headers?: Readonly<Record<string, string>>): Promise<Session | null>;
  leave(session: Session): Promise<void>;
  readonly requests: () => number;
  readonly isOver: () => boolean;
}

const version = '2025-06-18';

/** Counts and spaces requests; past the limits every one of them fails. */
function bounded(request: RequestFunction, limits: HttpCheckLimits, end: AbortSignal, count: { made: number }) {
  let turn: Promise<unknown> = Promise.resolve();
  const paced: RequestFunction = async (asked) => {
    if (limits.gapMs > 0) {
      const mine = turn;
      turn = mine.then(() => wait(limits.gapMs, undefined, { signal: end }).catch(() => undefined));
      await mine;
    }
    if (end.aborted || count.made >= limits.requests) throw new Error('no more requests');
    count.made += 1;
    const signal = asked.signal === undefined ? end : AbortSignal.any([asked.signal, end]);
    return request({ ...asked, signal });
  };
  return paced;
}

export function openBench(target: HttpTarget, limits: HttpCheckLimits, stop?: AbortSignal): Bench {
  const { url, endpoint, identity, honestCall, isRemote, bindAddresses } = target;
  const timer = AbortSignal.timeout(limits.wholeMs);
  const end = stop === undefined ? timer : AbortSignal.any([timer, stop]);
  const count = { made: 0 };
  const request = bounded(target.anonymous ?? target.request, limits, end, count);
  const { perAnswerMs, answerBytes } = limits;
  const visits = new Map<Stranger, Promise<Visit>>();
  const port = url.port === '' ? '' : `:${url.port}`;
  const headersOf: Readonly<Record<Stranger, Readonly<Record<string, string>>>> = {
    plain: {},
    page: { origin: foreign.page },
    rebound: { origin: `http://${foreign.host}${port}`, host: `${foreign.host}${port}` },
  };
  const at = (path: string): URL => new URL(path, url);
  const visitAt = (path: string, stranger: Stranger): Promise<Visit> =>
    visit({
      ...{ url: at(path), request, identity, headers: headersOf[stranger], timeoutMs: perAnswerMs },
      // One call is enough to show that calls are made.
      ...(stranger === 'rebound' && honestCall !== undefined && !isRemote ? { call: honestCall } : {}),
    });
  const visitAs = (stranger: Stranger): Promise<Visit> => {
    const known = visits.get(stranger) ?? visitAt(endpoint.path, stranger);
    visits.set(stranger, known);
    return known;
  };
  const ask: Bench['ask'] = (question) =>
    askOnce(request, { path: endpoint.path, ...question }, { perAnswerMs, answerBytes, signal: end });
  const open: Bench['open'] = async (headers = {}) => {
    const { name, version: ownVersion } = identity;
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name, version: ownVersion } };
    const answer = await ask({ headers: { ...usualHeaders, ...headers }, body: messageOf('initialize', params) });
    if (answer?.result == null) return null;
    const id = answer.headers['mcp-session-id'] ?? null;
    const agreed = answer.result.protocolVersion;
    const spoken = typeof agreed === 'string' && /^[\w.-]{1,40}$/.test(agreed) ? agreed : version;
    const headersLater = {
      ...usualHeaders,
      'mcp-protocol-version': spoken,
      ...(id === null ? {} : { 'mcp-session-id': id }),
    };
    await ask({ headers: headersLater, body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) });
    return { headers: headersLater, id, answer };
  };
  return {
    target,
    reach: isRemote ? (isLoopbackAddress(url.hostname) ? 'loopback' : 'network') : reachOf(bindAddresses),
    isInside: isInside(url.hostname),
    visitAs,
    visitAt,
    headersOf: (stranger) => headersOf[stranger],
    serves: async (visited) => visited.hasAgreed && (visited.listed > 0 || (await visitAs('plain')).listed === 0),
    ask,
    open,
    leave: async ({ id, headers }) => {
      if (id !== null) await ask({ method: 'DELETE', headers });
    },
    requests: () => count.made,
    isOver: () => end.aborted || count.made >= limits.requests,
  };
}
