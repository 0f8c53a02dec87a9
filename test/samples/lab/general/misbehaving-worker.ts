import { serveThread } from '../../../../src/instruments/lab/analysers/run/serve-thread.ts';
import type { Analyser, AnalyserInput, AnalyserResult } from '../../../../src/instruments/lab/contract.ts';
import { noResult } from '../../../../src/instruments/lab/contract.ts';

/** The entry of a thread whose analysers do everything wrong that one can do. */

function make(
  id: string,
  analyse: (input: AnalyserInput) => AnalyserResult | Promise<AnalyserResult>,
  rest: Partial<Analyser> = {},
): Analyser {
  return { id, title: id, version: 1, kinds: 'any', depth: 'quick', timeoutMs: 20_000, analyse, ...rest };
}

function fillMemory(): AnalyserResult {
  const kept: number[][] = [];
  for (let count = 0; count < 4000; count += 1) kept.push(new Array<number>(131_072).fill(count + 0.5));
  return { ...noResult, facts: { kept: kept.length } };
}

function spin({ tick }: AnalyserInput, asks: boolean): AnalyserResult {
  const end = performance.now() + 60_000;
  while (performance.now() < end) if (asks) tick();
  return noResult;
}

serveThread([
  make('good', ({ bytes, name, kind }) => ({
    ...noResult,
    facts: { size: bytes.length, name, kind: kind.id, first: bytes[0] ?? null },
  })),
  make('hangs', (input) => spin(input, false), { timeoutMs: 200 }),
  make('ticks', (input) => spin(input, true), { timeoutMs: 200 }),
  make('never-answers', () => new Promise<AnalyserResult>(() => undefined), { timeoutMs: 200 }),
  make('throws', () => {
    throw new Error('broken \u001b[31m by design');
  }),
  make('leaves', () => process.exit(3)),
  make('fills-memory', fillMemory),
  make('prints', () => {
    process.stdout.write('noise in the protocol\n');
    return noResult;
  }),
  make('uncloneable', () => ({ ...noResult, facts: { x: (() => 1) as unknown as string } })),
  make('notes', () => ({ ...noResult, notes: ['something was missing'] })),
  make('many-children', ({ bytes }) => ({
    ...noResult,
    children: Array.from({ length: 300 }, (_, index) => ({ name: `${index}`, bytes: bytes.subarray(0, 4), how: 'x' })),
  })),
  make('more-children', ({ bytes }) => ({ ...noResult, children: [{ name: 'one', bytes, how: 'x' }] })),
  make('deep', () => noResult, { depth: 'deep' }),
  make('for-pdf', () => noResult, { kinds: ['pdf'] }),
  make('last', () => noResult),
]);
