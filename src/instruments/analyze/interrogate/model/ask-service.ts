import { setTimeout as delay } from 'node:timers/promises';
import { asObject, asString } from '../../../../base/json-shape.ts';
import { forTerminal, untrusted } from '../../../../base/untrusted.ts';
import type { Complete, Completion, Prompt } from './completion.ts';
import type { ModelLimits } from './limits.ts';
import type { Meter } from './meter.ts';
import { type Posted, post } from './post.ts';
import type { ModelService } from './services/index.ts';

/** Asks a service over HTTP. Once more where it is busy or does not understand, and never a third time. */

export interface Account {
  readonly service: ModelService;
  readonly url: URL;
  readonly model: string;
  readonly key: string;
  readonly limits: ModelLimits;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const longestMessage = 200;
const longestWaitMs = 20_000;

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** What the service says went wrong; nothing where it does not answer in JSON. */
function messageOf(body: string): string {
  const { error, message } = asObject(parse(body));
  return asString(asObject(error).message) ?? asString(error) ?? asString(message) ?? '';
}

function shown(text: string): string {
  return text === '' ? '' : ` (${forTerminal(untrusted(text, longestMessage))})`;
}

function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

function problemOf(
  { status, body }: Extract<Posted, { kind: 'answer' }>,
  host: string,
  clean: (text: string) => string,
): string {
  if (status === 401 || status === 403) return `${host} refuses the key (${status})`;
  if (status >= 300 && status < 400) return `${host} sends the request elsewhere (${status}), which is not followed`;
  return `${host} answered ${status}${shown(clean(messageOf(body)))}`;
}

function waitMs(retryAfter: string, { retryMs }: ModelLimits): number {
  const seconds = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : Number.NaN;
  return Number.isNaN(seconds) ? retryMs : seconds * 1000;
}

/** Every place where the key could come back is passed through here. */
export function withoutKey(text: string, key: string): string {
  return key.length < 4 ? text : text.replaceAll(key, '[key]');
}

export function askService(account: Account): Complete {
  const { service, url, model, key, limits, environment } = account;
  const target = new URL(`${url.pathname.replace(/\/+$/, '')}${service.path}`, url);
  const clean = (text: string): string => withoutKey(text, key);
  const failure = (problem: string): Completion => ({ kind: 'failure', problem });
  // What the service did not like the first time is not sent to it again with the next batch.
  let refused: string | null = null;

  function send(prompt: Prompt, signal: AbortSignal): Promise<Posted> {
    return post(target, {
      headers: { 'content-type': 'application/json', accept: 'application/json', ...service.headers(key) },
      body: JSON.stringify(service.body(prompt, model, refused)),
      mostBytes: limits.answerBytes,
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.requestMs)]),
      environment,
    });
  }

  /** Whether it is worth another try, after the pause that the service asks for. */
  async function prepareRetry(posted: Extract<Posted, { kind: 'answer' }>, signal: AbortSignal): Promise<boolean> {
    if (isBusy(posted.status)) {
      const pause = waitMs(posted.retryAfter, limits);
      if (pause > longestWaitMs) return false;
      return delay(pause, true, { signal }).catch(() => false);
    }
    if (refused !== null || !service.canSimplify(posted.status)) return false;
    refused = messageOf(posted.body);
    return true;
  }

  function read(posted: Posted, prompt: Prompt, meter: Meter): Completion {
    if (posted.kind === 'time') return failure(`${url.host} did not answer in time`);
    if (posted.kind === 'failed') return failure(`${url.host} cannot be asked: ${posted.because}`);
    if (posted.status !== 200) return failure(problemOf(posted, url.host, clean));
    const answer = parse(posted.body);
    if (answer === undefined) return failure(`${url.host} did not answer in JSON`);
    const completion = service.read(answer);
    if (completion.kind === 'text') meter.correct(prompt, completion.tokens ?? 0);
    return completion;
  }

  return async (prompt, meter, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const over = meter.take(prompt);
      if (over !== null) return failure(over);
      const posted = await send(prompt, signal);
      const isAnswer = posted.kind === 'answer' && posted.status !== 200;
      if (attempt > 1 || !isAnswer || !(await prepareRetry(posted, signal))) return read(posted, prompt, meter);
    }
  };
}
