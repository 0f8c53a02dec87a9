import { asArray, asObject, asString } from '../../../../base/json-shape.ts';
import { type Knowledge, readKnowledge } from '../arguments/index.ts';
import type { Complete } from './completion.ts';
import type { Model } from './contract.ts';
import { readHostileClasses } from './create-model.ts';
import { defaultModelLimits, type ModelLimits } from './limits.ts';
import { createMeter } from './meter.ts';
import { hostileClassNames } from './placeholders.ts';
import { proposeInBatches } from './propose.ts';

/** The model of an MCP client, asked through its sampling. Whoever holds the session hands over the way to ask. */

/** Parameters of `sampling/createMessage`. */
export interface SamplingRequest {
  readonly messages: readonly {
    readonly role: 'user';
    readonly content: { readonly type: 'text'; readonly text: string };
  }[];
  readonly systemPrompt: string;
  readonly includeContext: 'none';
  readonly maxTokens: number;
}

export type CreateMessage = (request: SamplingRequest, signal: AbortSignal) => Promise<unknown>;

export interface SamplingOptions {
  readonly limits?: Partial<ModelLimits>;
  readonly hostileClasses?: readonly string[];
  readonly knowledge?: Knowledge;
}

/** Settles with the signal, also when the other side never does. */
function untilAborted(asked: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const stop = (): void => reject(new Error('time'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  asked.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', stop));
}

function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? asArray(content) : [content];
  return blocks.map((block) => asString(asObject(block).text) ?? '').join('\n');
}

function askClient(createMessage: CreateMessage, { requestMs, answerBytes }: ModelLimits): Complete {
  return async (prompt, meter, signal) => {
    const over = meter.take(prompt);
    if (over !== null) return { kind: 'failure', problem: over };
    const until = AbortSignal.any([signal, AbortSignal.timeout(requestMs)]);
    const request: SamplingRequest = {
      messages: [{ role: 'user', content: { type: 'text', text: prompt.user } }],
      systemPrompt: prompt.system,
      includeContext: 'none',
      maxTokens: prompt.mostTokens,
    };
    try {
      const answer = await untilAborted(
        Promise.resolve().then(() => createMessage(request, until)),
        until,
      );
      const { content, stopReason } = asObject(answer);
      const text = textOf(content);
      if (text.length > answerBytes) return { kind: 'refusal', problem: 'an answer of the client was too large' };
      return { kind: 'text', text, isCut: stopReason === 'maxTokens' };
    } catch {
      // What a client says when its user declines is of no use to anybody else.
      const problem = until.aborted ? 'the client did not answer in time' : 'the client did not let its model be asked';
      return { kind: 'failure', problem };
    }
  };
}

export function samplingModel(createMessage: CreateMessage, options: SamplingOptions = {}): Model {
  const limits = { ...defaultModelLimits, ...options.limits };
  const complete = askClient(createMessage, limits);
  const knowledge = options.knowledge ?? readKnowledge();
  const classes = hostileClassNames(options.hostileClasses ?? readHostileClasses());
  const meter = createMeter(limits);
  return {
    id: 'sampling',
    propose: (tools, signal) => proposeInBatches(tools, { complete, meter, limits, knowledge, classes }, signal),
  };
}
