import { setTimeout as wait } from 'node:timers/promises';
import type { HttpRequest, HttpResponse, RequestFunction } from '../../../../targets/conversation/index.ts';

/** Requests to a server of somebody else: not too many, not too fast, and never sent on to another one. */

export interface Politeness {
  /** Between the beginnings of two requests. */
  readonly gapMs: number;
  readonly requests: number;
  /** Told of every redirect that was not followed. */
  readonly onStrayed?: (location: string) => void;
}

const mostHops = 3;
/** Those that keep the method and the body. */
const followed: ReadonlySet<number> = new Set([307, 308]);
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The path to go on with, where it is on the same server; headers of the user go nowhere else. */
export function sameOriginPath(location: string, from: string, url: URL): string | null {
  if (location.length > 4096 || !URL.canParse(from, url.origin)) return null;
  const base = new URL(from, url.origin).href;
  if (!URL.canParse(location, base)) return null;
  const target = new URL(location, base);
  return target.origin === url.origin ? `${target.pathname}${target.search}` : null;
}

async function drop({ body }: HttpResponse): Promise<void> {
  for await (const _ of body) break;
}

export function politely(request: RequestFunction, url: URL, politeness: Politeness): RequestFunction {
  const { gapMs, requests, onStrayed } = politeness;
  let turn: Promise<unknown> = Promise.resolve();
  let left = requests;
  const next = async (asked: HttpRequest): Promise<HttpResponse> => {
    const mine = turn;
    turn = mine.then(() => wait(gapMs));
    await mine;
    asked.signal?.throwIfAborted();
    if (left <= 0) throw new Error(`more than ${requests} requests`);
    left -= 1;
    return request(asked);
  };
  return async (asked) => {
    let { path } = asked;
    for (let hop = 0; ; hop += 1) {
      const response = await next({ ...asked, path });
      const { location } = response.headers;
      if (!redirects.has(response.status) || location === undefined) return response;
      const onward = sameOriginPath(location, path, url);
      if (onward === null) onStrayed?.(location);
      if (onward === null || onward === path || !followed.has(response.status) || hop >= mostHops) return response;
      await drop(response).catch(() => undefined);
      path = onward;
    }
  };
}
