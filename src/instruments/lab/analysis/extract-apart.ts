import { Worker } from 'node:worker_threads';
import { besideModule } from '../../../base/beside.ts';
import { HostError } from '../../../base/errors.ts';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import type { SampleText } from '../contract.ts';
import { extractIndicators, type IndicatorOptions, type IndicatorResult } from '../indicators/index.ts';

/** Above this a search takes long enough for others to notice. */
const inlineCharacters = 128 * kibibyte;
const mostMs = 2 * minuteMs;
const mostMegabytes = 768;

/** Indicators of texts of any length, without holding up whoever else is served. */
export async function extractApart(
  texts: readonly SampleText[],
  options: Omit<IndicatorOptions, 'tick'>,
  signal: AbortSignal,
): Promise<IndicatorResult> {
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (characters <= inlineCharacters) return extractIndicators(texts, options);
  signal.throwIfAborted();
  const worker = new Worker(besideModule(import.meta.url, 'indicator-thread'), {
    workerData: { texts, options },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  const { promise, resolve, reject } = Promise.withResolvers<IndicatorResult>();
  const giveUp = (): void =>
    reject(signal.aborted ? signal.reason : new HostError('the search for indicators did not end in time'));
  const timer = setTimeout(giveUp, mostMs);
  signal.addEventListener('abort', giveUp, { once: true });
  worker.once('message', resolve);
  worker.once('error', (cause) => reject(new HostError('the search for indicators failed', { cause })));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    await worker.terminate();
  }
}
