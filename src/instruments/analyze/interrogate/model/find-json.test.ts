import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readKnowledge } from '../arguments/index.ts';
import { findProposals } from './find-json.ts';
import { hostileClassNames } from './placeholders.ts';
import { readProposals } from './proposals.ts';
import { type ShownTool, showTool } from './shown-tools.ts';
import { goodProposals, readTool } from './stand-in.ts';

const list = goodProposals.proposals;
const text = JSON.stringify(list);

describe('findProposals', () => {
  it.each([
    ['', null],
    ['no JSON at all', null],
    ['{}', null],
    ['[1,2,3]', null],
    ['"text"', null],
    ['[]', []],
    ['{"proposals":[]}', []],
    [`  ${text}  `, list],
    [`{"proposals":${text}}`, list],
    [`{"a":{"b":1},"list":${text}}`, list],
    [JSON.stringify(list[0]), list],
    [`\`\`\`\n${text}\n\`\`\``, list],
    [`\`\`\`json\n{"other":1}\n\`\`\`\nand\n\`\`\`json\n${text}\n\`\`\``, list],
    [`a } b ] { "x": " } c ${text} tail }`, list],
    [`{"thought":"[\\"{"} ${text}`, list],
    [`{"proposals":[${JSON.stringify(list[0])},{"tool":"b","honest":[{"x":`, list],
    [`{"proposals":[${JSON.stringify(list[0])},${JSON.stringify(list[0])},{"to`, [...list, ...list]],
  ])('finds in %j', (answer, found) => {
    expect(findProposals(answer)).toEqual(found);
  });

  it.each([
    ['open brackets', '['.repeat(250_000)],
    ['open braces', '{"a":'.repeat(100_000)],
    ['nested lists', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['many starts', '{"tool":'.repeat(60_000)],
    ['many fences', '```json\n'.repeat(60_000)],
    ['escapes', `["${'\\\\'.repeat(100_000)}`],
    ['quotes', '"\\'.repeat(250_000)],
  ])('is not held up by %s', (_, answer) => {
    expect(findProposals(answer) ?? []).toEqual(expect.anything());
  });
});

const knowledge = readKnowledge();
const classes = hostileClassNames(['command-injection', 'path-traversal']);
const shown = [showTool(readTool, knowledge)].filter((tool) => tool !== null) satisfies readonly ShownTool[];

/** Answers that are nearly right, so that every check is reached. */
const word = fc.oneof(
  fc.constantFrom(
    'read_note',
    'path',
    'lines',
    'command-injection',
    '; {{marker_command}}',
    '__proto__',
    'constructor',
  ),
  fc.string(),
);
const nearly = fc.record(
  {
    tool: fc.oneof({ weight: 3, arbitrary: fc.constant('read_note') }, word, fc.jsonValue()),
    honest: fc.oneof(fc.array(fc.oneof(fc.dictionary(word, fc.jsonValue()), fc.jsonValue())), fc.jsonValue()),
    hostile: fc.oneof(
      fc.array(fc.record({ parameter: word, class: word, value: word }, { requiredKeys: [] })),
      // Right but for one thing at most.
      fc.array(
        fc.record({
          parameter: fc.constantFrom('path', 'lines', 'other', '__proto__'),
          class: fc.constantFrom('command-injection', 'path-traversal', 'other'),
          value: fc.constantFrom('; {{marker_command}}', '{{up}}{{outside_file}}', '; id'),
        }),
      ),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
);
const answer = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.array(nearly).map((items) => JSON.stringify(items)),
  fc.tuple(fc.array(nearly), fc.nat()).map(([items, at]) => JSON.stringify({ proposals: items }).slice(0, at)),
  fc
    .tuple(fc.string(), fc.array(nearly), fc.string())
    .map(([before, items, after]) => before + JSON.stringify(items) + after),
);

describe('any answer', () => {
  it('gives only what was asked for, and never throws', () => {
    let kept = 0;
    fc.assert(
      fc.property(answer, (said) => {
        const { proposals, problems } = readProposals(said, shown, classes);
        kept += proposals.length;
        expect(problems.length).toBeLessThan(10);
        expect(proposals.length).toBeLessThanOrEqual(1);
        for (const { tool, honest, hostile } of proposals) {
          expect([tool, honest.length <= 4, hostile.length <= 12]).toEqual(['read_note', true, true]);
          for (const input of honest)
            expect(Object.keys(input).filter((name) => name !== 'path' && name !== 'lines')).toEqual([]);
          for (const { parameter, class: kind, value } of hostile) {
            expect(['path', 'lines']).toContain(parameter);
            expect(classes).toContain(kind);
            expect(value).toContain('{{');
          }
        }
      }),
      { numRuns: 1000 },
    );
    expect(kept).toBeGreaterThan(50);
  });
});

describe('readProposals', () => {
  const read = (proposal: object) =>
    readProposals(JSON.stringify([{ tool: 'read_note', ...proposal }]), shown, classes);
  const hostile = (value: unknown) => ({ parameter: 'path', class: 'command-injection', value });

  it('bounds numbers and sizes', () => {
    const { proposals, problems } = read({
      honest: Array.from({ length: 50 }, (_, at) => ({ lines: at })),
      hostile: Array.from({ length: 50 }, (_, at) => hostile(`;${at} {{marker_command}}`)),
    });
    expect([proposals[0]?.honest.length, proposals[0]?.hostile.length]).toEqual([4, 12]);
    expect(problems).toEqual(['84 proposals of the model were too many or too large']);
  });

  it.each([
    ['a large text', { path: 'x'.repeat(9000) }],
    ['a deep value', { path: JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown }],
    ['many values', { path: Array.from({ length: 2000 }, () => 1) }],
  ])('leaves out an honest input with %s', (_, input) => {
    expect(read({ honest: [input, { path: 'a' }] }).proposals[0]?.honest).toEqual([{ path: 'a' }]);
  });

  it('says each thing once', () => {
    const item = hostile('; {{marker_command}}');
    expect(read({ hostile: [item, item], honest: [{ path: 'a' }, { path: 'a' }] }).proposals).toEqual([
      { tool: 'read_note', honest: [{ path: 'a' }], hostile: [item] },
    ]);
  });

  it('puts two answers about one tool together', () => {
    const both = JSON.stringify([1, 2].map((lines) => ({ tool: 'read_note', honest: [{ lines }] })));
    expect(readProposals(both, shown, classes).proposals).toEqual([
      { tool: 'read_note', honest: [{ lines: 1 }, { lines: 2 }], hostile: [] },
    ]);
  });

  it('drops a value that is no text, or too long', () => {
    expect(read({ hostile: [hostile(7), hostile(`{{marker_command}}${'x'.repeat(2001)}`)] }).proposals).toEqual([]);
  });
});
