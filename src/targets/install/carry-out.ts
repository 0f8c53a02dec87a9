import { setTimeout as delay } from 'node:timers/promises';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import type { Box, BoxProcess, SpawnOptions } from '../../engine/box/index.ts';
import { defaultInstallLimits, type InstallLimits, type InstallPlan, type InstallStep, inHome } from './contract.ts';

/** Carries a plan out in a box: its files are placed, and its steps are run one after the other. */

/** What is needed of a cell. */
export interface InstallPlace {
  readonly box: Pick<Box, 'folders' | 'putAll'>;
  spawn(argv: readonly string[], options?: SpawnOptions): Promise<BoxProcess>;
}

export interface StepOutcome {
  readonly step: InstallStep;
  readonly code: number | null;
  readonly hasTimedOut: boolean;
  readonly durationMs: number;
  /** The end of what it wrote, made safe to show. */
  readonly tail: string;
}

export interface InstallOutcome {
  readonly installed: InstallPlan['installed'];
  readonly files: number;
  readonly bytes: number;
  readonly steps: readonly StepOutcome[];
  readonly problems: readonly string[];
}

const tailBytes = 2000;
/** Output that comes after the end, from children that still hold the pipe. */
const lingerMs = 200;

export async function placeFiles(
  { sources }: Pick<InstallPlan, 'sources'>,
  box: InstallPlace['box'],
  limits: Pick<InstallLimits, 'mostBytes' | 'mostFiles'> = defaultInstallLimits,
): Promise<Pick<InstallOutcome, 'files' | 'bytes' | 'problems'>> {
  const { home } = box.folders;
  const problems: string[] = [];
  let count = 0;
  let bytes = 0;
  for (const source of sources) {
    const files = await source.read();
    count += files.length;
    bytes += files.reduce((sum, file) => sum + file.bytes.length, 0);
    if (count > limits.mostFiles || bytes > limits.mostBytes) {
      problems.push(`${source.what} and what comes after it: more than fits into the box`);
      break;
    }
    try {
      await box.putAll(files.map(({ path, bytes, mode }) => ({ path: inHome(path, home), content: bytes, mode })));
    } catch (error) {
      problems.push(`${source.what}: ${(error as Error).message}`);
    }
  }
  return { files: count, bytes, problems };
}

/** The last bytes of both streams, as they came. */
function keepTail(child: BoxProcess): () => Buffer {
  let tail: Buffer = Buffer.alloc(0);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
    });
    stream.on('error', () => undefined);
  }
  return () => tail;
}

async function runStep(place: InstallPlace, step: InstallStep): Promise<StepOutcome> {
  const { home } = place.box.folders;
  const began = performance.now();
  const child = await place.spawn(
    step.argv.map((word) => inHome(word, home)),
    { cwd: inHome(step.cwd, home) },
  );
  child.stdin.on('error', () => undefined);
  child.stdin.end();
  const tail = keepTail(child);
  let hasTimedOut = false;
  const timer = setTimeout(() => {
    hasTimedOut = true;
    child.kill('SIGKILL');
  }, step.timeoutMs);
  try {
    const { code } = await child.exited;
    await delay(code === 0 ? 0 : lingerMs);
    const shown = forTerminal(untrusted(tail(), tailBytes), { keepLines: true }).trim();
    return { step, code, hasTimedOut, durationMs: performance.now() - began, tail: shown };
  } finally {
    clearTimeout(timer);
  }
}

function problemOf({ step, code, hasTimedOut, tail }: StepOutcome): string | null {
  if (code === 0 && !hasTimedOut) return null;
  const what = forTerminal(untrusted(step.what, 200));
  const how = hasTimedOut ? `was ended after ${step.timeoutMs / 1000} s` : `ended with ${code}`;
  const last = tail
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-3)
    .join(' | ')
    .slice(-400);
  return `${what} ${how}${last === '' ? '' : `: ${last}`}`;
}

/** A script that fails is told and does not end the install: the server may do without what it would have brought. */
export async function carryOut(
  plan: InstallPlan,
  place: InstallPlace,
  limits: InstallLimits = defaultInstallLimits,
): Promise<InstallOutcome> {
  const { home } = place.box.folders;
  const placed = await placeFiles(plan, place.box, limits);
  const steps: StepOutcome[] = [];
  for (const step of plan.steps) steps.push(await runStep(place, step));
  const failed = steps.map(problemOf).filter((problem) => problem !== null);
  return {
    installed: {
      folder: inHome(plan.installed.folder, home),
      programs: plan.installed.programs.map((path) => inHome(path, home)),
    },
    files: placed.files,
    bytes: placed.bytes,
    steps,
    problems: [...plan.problems, ...placed.problems, ...failed],
  };
}
