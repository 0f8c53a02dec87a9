import { readFileSync } from 'node:fs';
import { availableParallelism, release, totalmem } from 'node:os';

/** What the figures were taken on. Ratios travel between machines; milliseconds do not. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly architecture: string;
  readonly kernel: string;
  readonly memoryGiB: number;
  readonly node: string;
}

export function describeMachine(): Machine {
  const info = readFileSync('/proc/cpuinfo', 'utf8');
  return {
    processor: /^model name\s*: (.*)$/m.exec(info)?.[1] ?? process.arch,
    cores: availableParallelism(),
    architecture: process.arch,
    kernel: release(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
