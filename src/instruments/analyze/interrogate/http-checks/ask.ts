import { asObject } from '../../../../base/json-shape.ts';
import { readBody } from '../../../../targets/conversation/http-body.ts';
import type { RequestFunction } from '../../../../targets/conversation/index.ts';
import { parseFrame } from '../../../../targets/conversation/parse-frame.ts';
import { type Exchange, recorded } from './exchange.ts';

/** One single exchange, bounded in time and size: for what a whole conversation would smooth over. */

export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The answer may be a stream without an end: its head is enough. */
  readonly isHeadEnough?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The result of the first answer in the words of the protocol. */
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly exchange: Exchange;
}

export interface AskLimits {
  readonly perAnswerMs: number;
  readonly answerBytes: number;
  readonly signal: AbortSignal;
}

export const usualHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** Null when there was no answer. */
export async function askOnce(request: RequestFunction, question: Question, limits: AskLimits): Promise<Answer | null> {
  const { method = 'POST', path, headers = usualHeaders, body = '', isHeadEnough = false } = question;
  const exchanges: Exchange[] = [];
  const done = new AbortController();
  const signal = AbortSignal.any([limits.signal, done.signal, AbortSignal.timeout(limits.perAnswerMs)]);
  let result: Readonly<Record<string, unknown>> | null = null;
  let left = limits.answerBytes;
  try {
    const response = await recorded(request, {}, exchanges)({ method, path, headers, body, signal });
    const frame = (bytes: Buffer): void => {
      const values = parseFrame(bytes, 16).values.map(asObject);
      result ??= values.map((value) => asObject(value.result)).find((each) => Object.keys(each).length > 0) ?? null;
    };
    const takes = (bytes: number): boolean => {
      left -= bytes;
      return result === null && left > 0;
    };
    if (!isHeadEnough)
      await readBody(response, { frame, cut: () => undefined, takes }, limits.answerBytes).catch(() => undefined);
  } catch {
    return null;
  } finally {
    done.abort();
  }
  const [exchange] = exchanges;
  return exchange === undefined ? null : { status: exchange.status, headers: exchange.headers, result, exchange };
}

export function messageOf(method: string, params: unknown = {}, id = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
