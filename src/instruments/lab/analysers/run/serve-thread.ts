import { parentPort } from 'node:worker_threads';
import { describeError } from '../../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../../base/untrusted.ts';
import { type Analyser, type AnalyserResult, type AnalyserRun, noResult } from '../../contract.ts';
import { boundResult } from './bound-result.ts';
import type { AnalyserEntry, SampleMessage, TaskMessage, ThreadMessage } from './contract.ts';

/** Thrown by `tick` alone, so that it is not taken for a mistake of an analyser. */
class TimeIsUp extends Error {}

function makeTick(timeoutMs: number): () => void {
  const deadline = performance.now() + timeoutMs;
  return () => {
    if (performance.now() > deadline) throw new TimeIsUp();
  };
}

async function analyseInTime(analyser: Analyser, sample: SampleMessage): Promise<Omit<AnalyserRun, 'elapsedMs'>> {
  const { shared, ...rest } = sample;
  const same = { analyser: analyser.id, version: analyser.version };
  const noted = (note: string): AnalyserResult => ({ ...noResult, notes: [note] });
  try {
    const input = { ...rest, bytes: new Uint8Array(shared), tick: makeTick(analyser.timeoutMs) };
    const result = boundResult(await analyser.analyse(input));
    return { ...same, status: result.notes.length > 0 ? 'partial' : 'done', result };
  } catch (error) {
    if (error instanceof TimeIsUp) {
      return { ...same, status: 'timed-out', result: noted(`not done after ${analyser.timeoutMs} ms`) };
    }
    const words = forTerminal(untrusted(describeError(error), 300));
    return { ...same, status: 'failed', result: noted(`the analyser failed: ${words}`) };
  }
}

function entryOf({ analyse: _, ...entry }: Analyser): AnalyserEntry {
  return entry;
}

/** Answers the pool from inside a thread, one task after the other, until the thread is ended. */
export function serveThread(analysers: readonly Analyser[]): void {
  const post = (message: ThreadMessage): void => parentPort?.postMessage(message);
  parentPort?.on('message', async ({ task, analyser: id, sample }: TaskMessage) => {
    const begun = performance.now();
    const analyser = analysers.find((candidate) => candidate.id === id);
    const run: Omit<AnalyserRun, 'elapsedMs'> =
      analyser === undefined
        ? { analyser: id, version: 0, status: 'failed', result: { ...noResult, notes: ['no such analyser'] } }
        : await analyseInTime(analyser, sample);
    const elapsedMs = Math.round(performance.now() - begun);
    try {
      post({ type: 'ended', task, run: { ...run, elapsedMs } });
    } catch {
      const result = { ...noResult, notes: ['the result cannot leave its thread'] };
      post({ type: 'ended', task, run: { ...run, status: 'failed', result, elapsedMs } });
    }
  });
  post({ type: 'ready', entries: analysers.map(entryOf) });
}
