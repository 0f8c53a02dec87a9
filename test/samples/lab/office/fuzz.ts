import { expect } from 'vitest';
import type { Analyser } from '../../../../src/instruments/lab/contract.ts';
import { analyseSample } from './analyse-sample.ts';

/** Damaged samples: cut, with bytes changed, doubled or taken from another one. Nothing may be thrown. */

/** A generator of numbers that gives the same inputs for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % Math.max(below, 1);
  };
}

const telling = [0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x20, 0x7b, 0x7d, 0x5c];

function damage(sample: Buffer, others: readonly Buffer[], next: (below: number) => number): Buffer {
  const copy = Buffer.from(sample);
  const kind = next(5);
  if (kind === 0) return copy.subarray(0, next(copy.length));
  if (kind === 1) {
    const other = others[next(others.length)] ?? copy;
    const at = next(copy.length);
    other.subarray(next(other.length)).copy(copy, at);
    return copy;
  }
  if (kind === 2) {
    const from = next(copy.length);
    const part = copy.subarray(from, from + next(512));
    return Buffer.concat([
      copy.subarray(0, from),
      ...Array.from({ length: 1 + next(8) }, () => part),
      copy.subarray(from),
    ]);
  }
  for (let count = 1 + next(24); count > 0; count -= 1) {
    const at = next(copy.length);
    if (kind === 3) copy[at] = telling[next(telling.length)] ?? 0;
    else copy.writeUInt32LE(next(3) === 0 ? 0xffffffff : next(0xffffffff), Math.min(at, Math.max(copy.length - 4, 0)));
  }
  return copy;
}

/** Of processor time: other work on the machine is not the analyser's. */
const slowMs = 2000;

export async function survivesDamage(analyser: Analyser, samples: readonly Buffer[]): Promise<void> {
  const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);
  const wish = process.env.HOTCELL_FUZZ_SEED ?? '20240506';
  const seed = wish === 'random' ? Date.now() : Number(wish);
  const next = numbers(seed);
  for (let run = 0; run < runs; run += 1) {
    const sample = samples[run % samples.length] ?? Buffer.alloc(8);
    const input = damage(sample.length < 8 ? Buffer.alloc(8) : sample, samples, next);
    const start = process.cpuUsage();
    const tick = (): void => {
      const { user, system } = process.cpuUsage(start);
      if (user + system > slowMs * 1000) throw new Error(`run ${run} of seed ${seed} took longer than ${slowMs} ms`);
    };
    // The dear rounds of passwords are tried elsewhere.
    const result = await analyseSample(analyser, input, { tick, depth: 'quick' });
    tick();
    expect(
      result.findings.every(
        ({ evidence }) => evidence.length <= 10 && evidence.every(({ text }) => text.length <= 400),
      ),
    ).toBe(true);
    expect(JSON.stringify(result.facts).length).toBeLessThan(1_000_000);
  }
}
