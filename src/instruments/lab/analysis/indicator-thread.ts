import { parentPort, workerData } from 'node:worker_threads';
import type { SampleText } from '../contract.ts';
import { extractIndicators, type IndicatorOptions } from '../indicators/index.ts';

/** Looks for indicators in a thread of its own, so that a long text keeps nobody waiting and can be given up. */
const { texts, options } = workerData as { texts: readonly SampleText[]; options: IndicatorOptions };
parentPort?.postMessage(extractIndicators(texts, options));
