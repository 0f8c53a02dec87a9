import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputsByParser } from '../../../../../test/samples/lab/tool-outputs/outputs.ts';
import { parsers } from './index.ts';

const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);

/** Cuts, doubles and replaces pieces of real output, and adds noise. */
function mutated(seeds: readonly string[]): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 0, max: 200 }),
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '|',
        '\n',
        '\t',
        '{',
        '}',
        '"',
        ' '.repeat(500),
        '-'.repeat(80),
        '[]',
        'null',
        '__proto__',
        '(',
        '9'.repeat(400),
      ),
    ),
    times: fc.integer({ min: 0, max: 20 }),
  });
  return fc.tuple(fc.constantFrom(...seeds), fc.array(edit, { minLength: 1, maxLength: 8 })).map(([seed, edits]) => {
    let text = seed;
    for (const { at, length, text: piece, times } of edits) {
      const start = Math.floor(at * text.length);
      text = text.slice(0, start) + piece.repeat(times) + text.slice(start + length);
    }
    return text;
  });
}

describe('whatever a tool prints', () => {
  it.each(parsers.map((parser) => [parser.id, parser] as const))('%s neither throws nor grows', (id, parser) => {
    fc.assert(
      fc.property(mutated(outputsByParser[id] ?? ['']), (text) => {
        const { findings, facts, texts, notes } = parser.parse(text);
        expect(findings.length).toBeLessThanOrEqual(500);
        for (const { evidence, title } of findings) {
          expect(evidence.length).toBeLessThanOrEqual(10);
          expect(title.length).toBeLessThanOrEqual(200);
          for (const { text: shown } of evidence) expect(shown.length).toBeLessThanOrEqual(400);
        }
        expect(JSON.stringify({ facts, notes }).length).toBeLessThan(4_000_000);
        for (const one of texts) expect(one.text.length).toBeLessThanOrEqual(8 * text.length + 8);
      }),
      { numRuns: runs },
    );
  });

  it.each(parsers.map((parser) => [parser.id, parser] as const))('%s reads much of the same', (_id, parser) => {
    for (const piece of [
      '\n',
      ' ',
      '|',
      'a',
      '{',
      '[',
      '0',
      '-',
      'a: ',
      '\t',
      ' /JS 1: 4\n',
      '- ',
      '|a|b|c|\n',
      "'",
      '("',
      'FLOSS ',
    ]) {
      const text = piece.repeat(Math.ceil(400_000 / piece.length));
      expect(() => parser.parse(text)).not.toThrow();
    }
  });
});
