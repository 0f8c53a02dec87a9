import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, HostError, isKnownError } from '../../../base/errors.ts';
import { minuteMs } from '../../../base/limits.ts';
import { type Outcome, yes } from '../../../base/outcome.ts';
import type { Box, BoxBackend, BoxOptions, BoxRecord, Capabilities } from '../../../engine/box/contract.ts';
import { findTool, hostProbes, hostTools } from '../../../engine/host/index.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { count, formatMs } from '../terminal/index.ts';
import { type Answer, type BackendReport, type ProbeReport, type ToolReport, toAnswer } from './report.ts';

/** Longer than any healthy box takes; a sick one must not keep doctor from its report. */
const deadlineMs = minuteMs;

function asHostError(error: unknown): HostError {
  if (error instanceof HostError) return error;
  const hint = isKnownError(error) ? error.hint : undefined;
  return new HostError(describeError(error), { cause: error, ...(hint === undefined ? {} : { hint }) });
}

async function withDeadline<T>(work: Promise<T>, what: string, late: (value: T) => unknown): Promise<T> {
  const timer = new AbortController();
  let isLate = false;
  const deadline = sleep(deadlineMs, undefined, { signal: timer.signal, ref: false }).then(() => {
    isLate = true;
    throw new HostError(`${what} did not end within ${formatMs(deadlineMs)}`);
  });
  deadline.catch(() => {});
  work.then((value) => (isLate ? late(value) : undefined)).catch(() => {});
  try {
    return await Promise.race([work, deadline]);
  } finally {
    timer.abort();
  }
}

export function examineKernel(): Promise<readonly ProbeReport[]> {
  return Promise.all(
    hostProbes.map(async ({ id, title, usedFor, ask }) => {
      const outcome = await ask().catch(
        (error: unknown): Outcome<never> => ({ is: 'error', error: asHostError(error) }),
      );
      const details = outcome.is === 'yes' ? outcome.value.details : {};
      return { id, title, usedFor, details, ...toAnswer(outcome, (fact) => fact.summary) };
    }),
  );
}

export function examineTools(): Promise<readonly ToolReport[]> {
  return Promise.all(hostTools.map(async (tool) => ({ ...tool, path: await findTool(tool.id) })));
}

/** Makes a box under the strictest tier, lets it prove itself, and runs a program that does nothing in it. */
async function tryBox(backend: BoxBackend, options: BoxOptions): Promise<BoxRecord> {
  const made = backend.create(tierPolicy('LOW'), options);
  const box = await withDeadline(made, `making a ${backend.id} box`, (late: Box) => late.close());
  try {
    const started = await withDeadline(box.spawn(['/bin/true']), `starting a program in a ${backend.id} box`, () => {});
    started.stdin.end();
    started.stdout.resume();
    started.stderr.resume();
    const { code, signal } = await withDeadline(started.exited, `/bin/true in a ${backend.id} box`, () => {});
    if (code !== 0) throw new HostError(`/bin/true in the box ended with ${code ?? signal}`);
    return box.record;
  } finally {
    await box.close();
  }
}

function summarise(record: BoxRecord, version: string): string {
  const held = record.selfCheck.filter((check) => check.result === 'held').length;
  return `held in ${count(held, 'question')} asked from inside; ${version}`;
}

export async function examineBackend(backend: BoxBackend, options: BoxOptions): Promise<BackendReport> {
  const { id, title, strength } = backend;
  const startedAt = performance.now();
  let capabilities: Capabilities | null = null;
  let record: BoxRecord | null = null;
  let answer: Answer;
  try {
    const probed = await withDeadline(backend.probe(options), `probing ${id}`, () => {});
    answer = toAnswer(probed, (found) => found.version);
    if (probed.is === 'yes') {
      capabilities = probed.value;
      const proven = await tryBox(backend, options);
      record = proven;
      answer = toAnswer(yes(proven), (found) => summarise(found, probed.value.version));
    }
  } catch (error) {
    answer = toAnswer({ is: 'error', error: asHostError(error) }, () => '');
  }
  return {
    id,
    title,
    strength,
    version: capabilities?.version ?? null,
    notes: capabilities?.notes ?? [],
    selfCheck: record?.selfCheck ?? [],
    limitsInForce: record?.limitsInForce ?? [],
    gaps: record?.gaps ?? [],
    tookMs: Math.round(performance.now() - startedAt),
    ...answer,
  };
}
