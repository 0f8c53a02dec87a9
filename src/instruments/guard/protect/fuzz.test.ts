import fc from 'fast-check';
import { stringify as stringifyToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { stringify as stringifyYaml } from 'yaml';
import { readDocument } from '../../../targets/ingest/client-config/document.ts';
import { countGuardWords, guardWords, isWrapped } from './guard-words.ts';
import { unwrapText, wrapText } from './rewrite.ts';
import { diffLines } from './show/line-diff.ts';
import { unifiedDiff } from './show/unified.ts';

const wrap = { program: '/opt/bin/hotcell', exists: (path: string) => path.length % 2 === 0 };
const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    '--',
    '-y',
    'run',
    '--name',
    '/usr',
    '--x=/usr',
    '{',
    '#',
    '"',
    "'",
    '\\',
    'null',
    '8080',
    '- a',
    '${HOME}',
  ),
);
const name = word.filter((text) => text !== '__proto__');
const program = fc.constantFrom('npx', 'node', '/usr/bin/python3', 'uvx', 'C:\\x\\y.exe', 'docker');
const server = fc.oneof(
  fc.record(
    { command: program, args: fc.array(word, { maxLength: 5 }), env: fc.dictionary(name, word, { maxKeys: 3 }) },
    { requiredKeys: ['command'] },
  ),
  fc.record({ command: fc.array(word, { minLength: 1, maxLength: 4 }), enabled: fc.boolean() }),
  fc.record({ command: fc.record({ path: program, args: fc.array(word, { maxLength: 3 }) }) }),
  fc.record({ url: fc.webUrl() }),
);
const document = fc.record({
  before: word,
  mcpServers: fc.dictionary(name, server, { maxKeys: 4 }),
  after: fc.array(fc.integer(), { maxLength: 3 }),
});

const languages: readonly [string, (value: unknown, indent: number) => string][] = [
  ['mcp.json', (value, indent) => JSON.stringify(value, null, indent)],
  ['config.yaml', (value, indent) => stringifyYaml(value, { indent: Math.max(2, indent), lineWidth: indent * 10 })],
  ['config.toml', (value) => stringifyToml(value as Record<string, unknown>)],
];

describe('random configs', () => {
  it.each(languages)('%s: wrapped and unwrapped means the same', (path, write) => {
    fc.assert(
      fc.property(document, fc.nat({ max: 8 }), (value, indent) => {
        const text = write(value, indent);
        const before = readDocument(path, text);
        fc.pre(before.problems.length === 0);
        const done = wrapText(path, text, wrap);
        if (done.is !== 'changed') return;
        expect(wrapText(path, done.text, wrap).is).not.toBe('changed');
        const back = unwrapText(path, done.text);
        expect(back.is).toBe('changed');
        if (back.is !== 'changed') return;
        const withoutEmpty = (one: unknown): string =>
          JSON.stringify(one, (key, item) =>
            key === 'args' && Array.isArray(item) && item.length === 0 ? undefined : item,
          );
        expect(withoutEmpty(readDocument(path, back.text).value)).toBe(withoutEmpty(before.value));
      }),
      { numRuns: 200 },
    );
  });

  it.each(['mcp.json', 'config.yaml', 'config.toml'])('%s: no text makes it throw', (path) => {
    const pieces = fc.constantFrom(
      'mcpServers',
      '[mcp_servers.a]',
      'command',
      ':',
      '=',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ',',
      '\n',
      '  ',
      '- ',
      '#',
      'x',
      '&a ',
      '*a',
      '"""',
      '|',
      '\\',
      '\r\n',
      '\ufeff',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 60 }),
          fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
        ),
        (text) => {
          for (const done of [wrapText(path, text, wrap), unwrapText(path, text)]) {
            expect(['changed', 'same', 'refused']).toContain(done.is);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the words of the guard', () => {
  it('are found again in front of any command', () => {
    const words = fc.record({
      name: word,
      environment: fc.array(fc.stringMatching(/^[A-Z]{1,5}$/), { maxLength: 3 }),
      reads: fc.array(word, { maxLength: 3 }),
      writes: fc.array(word, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(words, fc.array(word, { minLength: 1, maxLength: 5 }), (wishes, command) => {
        const all = ['/a b/hotcell', ...guardWords(wishes), ...command];
        expect(isWrapped(all)).toBe(true);
        expect(all.slice(countGuardWords(all) ?? 0)).toEqual(command);
      }),
    );
  });
});

describe('the difference of two texts', () => {
  it('is made of both of them', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before, after);
        expect(diff.filter(({ is }) => is !== '+').map(({ text }) => text)).toEqual(before);
        expect(diff.filter(({ is }) => is !== '-').map(({ text }) => text)).toEqual(after);
      }),
    );
  });

  it('looks as people know it', () => {
    expect(unifiedDiff('f', 'a\nb\nc\nd\ne\n', 'a\nb\nX\nd\ne')).toBe(
      '--- f\n+++ f\n@@ -1,5 +1,5 @@\n a\n b\n-c\n+X\n d\n-e\n+e\n\\ No newline at end of file\n',
    );
    expect(unifiedDiff('f', 'a\n', 'a\n')).toBe('');
  });

  it('does not take for ever where everything differs', () => {
    const before = Array.from({ length: 5000 }, (_, index) => `a${index}`);
    const after = Array.from({ length: 5000 }, (_, index) => `b${index}`);
    expect(diffLines(before, after)).toHaveLength(10_000);
  });
});
