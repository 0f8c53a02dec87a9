import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCommand } from './check-command.ts';
import { findPredicate, predicates } from './predicates.ts';
import { quoteWords } from './quote-words.ts';
import { shapeRules } from './rules.ts';
import { interpreters, type SampleCommand, shells } from './sample-commands.ts';
import { disguises, syntax, tools } from './sample-tools.ts';
import { parseLine } from './shell/parse-line.ts';

const tables: readonly (readonly [string, readonly SampleCommand[]])[] = [
  ['interpreters', interpreters],
  ['shells', shells],
  ['syntax of shells', syntax],
  ['other tools', tools],
  ['disguises', disguises],
];

describe.each(tables)('%s', (_, samples) => {
  it.each(samples.map((sample) => [JSON.stringify(sample.given), sample] as const))('%s', (_name, sample) => {
    const check = checkCommand(sample.given);
    const ids = check.shapes.map(({ id }) => id);
    expect(check.isExploitable).toBe(sample.shapes.length > 0);
    if (sample.shapes.length === 0) expect(ids).toEqual([]);
    else expect(ids).toEqual(expect.arrayContaining([...sample.shapes]));
  });
});

describe('checkCommand', () => {
  it('knows enough commands, honest ones among them', () => {
    const all = tables.flatMap(([, samples]) => samples);
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(all.filter(({ shapes }) => shapes.length === 0).length).toBeGreaterThanOrEqual(50);
  });

  it('takes a quoted line for the words that it is made of', () => {
    const argvs = tables.flatMap(([, samples]) => samples).filter(({ given }) => typeof given !== 'string');
    for (const { given } of argvs.filter(({ given: words }) => words.length > 1)) {
      const line = quoteWords(given as readonly string[]);
      expect([line, checkCommand(line).isExploitable]).toEqual([line, checkCommand(given).isExploitable]);
    }
  });

  it('shows the words, and nothing that a terminal would obey', () => {
    const [hit] = checkCommand(['sudo', 'python3.11', '-c', 'x\x1b[2J']).shapes;
    expect(hit).toMatchObject({ id: 'inline-code', where: "sudo python3.11 -c 'x\\x1b[2J'" });
  });

  it.each([
    [['npx', '-y', 'some-server'], /no exact version/],
    [['uvx', 'some-server'], /no exact version/],
    [['cmd', '/c', 'npx', 'server@1.0.0'], /only starts a launcher/],
    [['env', 'PYTHONPATH=/x', 'python3', 's.py'], /where code is looked for/],
    ['node "unclosed', /not closed/],
  ])('notes without refusing: %j', (given, note) => {
    const check = checkCommand(given);
    expect(check.isExploitable).toBe(false);
    expect(check.notes.join('\n')).toMatch(note);
  });

  it('says so when something is too long or too deep', () => {
    const deep = `${'$('.repeat(40)}id${')'.repeat(40)}`;
    for (const given of ['a '.repeat(40_000), Array(5000).fill('a'), deep, 'env '.repeat(50), 'é'.repeat(5000)]) {
      expect(checkCommand(given).shapes.map(({ id }) => id)).toContain('not-understood');
    }
  });

  it('answers any text and any words, with shapes of the table only', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        ...[
          'bash',
          '-c',
          '$(',
          '`',
          '"',
          "'",
          '\\',
          '{a,b',
          '}',
          '<<E\n',
          ')',
          '${x:-',
          '$((',
          '&&',
          '|',
          '\n',
          'git',
          '-c',
        ],
        ...[
          'env',
          '-S',
          'find',
          '-exec',
          'sed',
          's/a/b/e',
          'awk',
          'tar',
          'xfI',
          'docker',
          'run',
          "$'\\x",
          '\u200b',
          'ｂ',
          'npx',
        ],
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, isLine) => {
        const check = checkCommand(isLine ? pieces.join(' ') : pieces);
        expect(check.isExploitable).toBe(check.shapes.length > 0);
        for (const { id } of check.shapes) expect(Object.keys(shapeRules.shapes)).toContain(id);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['$(', '${', '`', '"', '{', '{a,', '{}', '<<E\n', '\\', ';', 'a=$(', '<(', "$'\\", 'print ', '/x', '\u200b'])(
    'stays bounded for very many %j',
    (piece) => {
      const text = piece.repeat(Math.floor(65_000 / piece.length));
      expect(typeof checkCommand(text).isExploitable).toBe('boolean');
      expect(typeof checkCommand(['awk', text]).isExploitable).toBe('boolean');
      expect(typeof checkCommand(['sed', text]).isExploitable).toBe('boolean');
    },
    5000,
  );
});

describe('quoteWords', () => {
  it('gives back the words it was made from', () => {
    const word = fc.oneof(fc.string(), fc.string({ unit: 'binary' })).map((text) => text.replaceAll('\0', ''));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        const { commands, problems } = parseLine(quoteWords(words));
        expect(problems).toEqual([]);
        expect(commands.map((command) => command.words.map(({ value }) => value))).toEqual([words]);
      }),
    );
  });
});

describe('predicates', () => {
  it('name shapes that there are', () => {
    const known = Object.keys(shapeRules.shapes);
    for (const { shapes } of predicates) for (const shape of shapes) expect(known).toContain(shape);
    expect(predicates.map(({ id }) => id)).toEqual([
      'mcp-sdk-rce-2026-04-22',
      'cve-2026-27124',
      'nginx-mcp-rce-9.8',
      'mcp-interpreter-eval-rce',
    ]);
    expect(findPredicate('CVE-2026-27124')?.shapes).toContain('command-from-variable');
    expect(findPredicate('x')).toBeUndefined();
  });

  it('covers what the table uses', () => {
    const known = Object.keys(shapeRules.shapes);
    const used = shapeRules.programs.flatMap(({ hits, operands }) => [...hits, ...operands].map(({ shape }) => shape));
    expect([...new Set(used)].filter((shape) => !known.includes(shape))).toEqual([]);
  });
});
