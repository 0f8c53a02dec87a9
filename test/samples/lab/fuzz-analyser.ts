import type { Analyser, AnalyserInput, AnalyserResult } from '../../../src/instruments/lab/contract.ts';
import { type KindId, kindTitles } from '../../../src/instruments/lab/kinds.ts';

export function inputOf(bytes: Uint8Array, id: KindId, more: Partial<AnalyserInput> = {}): AnalyserInput {
  return {
    bytes,
    kind: { id, title: kindTitles[id], mime: 'application/octet-stream' },
    name: 'sample',
    depth: 'deep',
    passwords: [],
    rulesFolders: [],
    tick: () => undefined,
    ...more,
  };
}

/** A small generator with a seed: a failure can be made again. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x1_0000_0000;
  };
}

/** What this process has computed so far: unlike the clock it does not go on while others compute. */
export function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const interesting = [0, 1, 0x20, 0x28, 0x3c, 0x41, 0x7f, 0x80, 0xfe, 0xff];

export function mutate(sample: Uint8Array, random: () => number): Uint8Array {
  const pick = (most: number): number => Math.floor(random() * most);
  let bytes = Uint8Array.from(sample);
  for (let change = pick(8) + 1; change > 0 && bytes.length > 0; change -= 1) {
    const at = pick(bytes.length);
    const kind = pick(7);
    if (kind === 0) bytes = bytes.slice(0, at);
    else if (kind === 1) bytes[at] = pick(256);
    else if (kind === 2) bytes[at] = interesting[pick(interesting.length)] ?? 0;
    else if (kind === 3) bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8));
    else if (kind === 4) bytes.fill(pick(2) * 255, at, at + pick(8));
    else if (kind === 5) bytes.copyWithin(at, pick(bytes.length), pick(bytes.length));
    else {
      const from = pick(bytes.length);
      const part = bytes.slice(from, from + pick(200));
      bytes = Uint8Array.from([...bytes.slice(0, at), ...part, ...part, ...bytes.slice(at)]);
    }
  }
  return bytes;
}

export interface FuzzOutcome {
  readonly runs: number;
  readonly problems: readonly string[];
}

const slowMs = 2000;

function problemsOf(result: AnalyserResult): string[] {
  const problems: string[] = [];
  for (const { evidence, rule } of result.findings) {
    if (evidence.length > 10 || evidence.some(({ text }) => text.length > 400)) problems.push(`evidence of ${rule}`);
  }
  if (JSON.stringify(result.facts).length > 1_000_000) problems.push('facts are large');
  return problems;
}

/** Mutated samples: none may throw, take two seconds or give an unbounded result. */
export async function fuzzAnalyser(
  analyser: Analyser,
  samples: readonly { readonly bytes: Uint8Array; readonly kind: KindId }[],
  runs: number = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300),
): Promise<FuzzOutcome> {
  const seed = Number(process.env.HOTCELL_FUZZ_SEED ?? 20261115) || 1;
  const problems: string[] = [];
  for (let run = 0; run < runs && problems.length < 10; run += 1) {
    const sample = samples[run % samples.length];
    if (sample === undefined) break;
    const bytes = mutate(sample.bytes, makeRandom(seed + run * 7919));
    const started = usedMs();
    try {
      const result = await analyser.analyse(inputOf(bytes, sample.kind));
      for (const problem of problemsOf(result)) problems.push(`run ${run}: ${problem}`);
    } catch (error) {
      problems.push(`run ${run}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const elapsed = usedMs() - started;
    if (elapsed > slowMs) problems.push(`run ${run}: took ${Math.round(elapsed)} ms`);
  }
  return { runs, problems };
}
