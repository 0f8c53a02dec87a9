import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { raw } from '../../../../../test/samples/lab/general/build.ts';
import { yaraSamples } from '../../../../../test/samples/lab/general/make-yara.ts';
import { severities } from '../../../../base/finding-schema.ts';
import type { AnalyserInput, AnalyserResult } from '../../contract.ts';
import { recogniseKind } from '../../recognise/index.ts';
import { yara, yaraFolders } from './yara.ts';
import { ownFolder } from './yara-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-yara-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const input = (bytes: Uint8Array, rulesFolders: readonly string[] = []): AnalyserInput => ({
  bytes,
  name: 'x',
  kind: recogniseKind(bytes, 'x'),
  depth: 'quick',
  passwords: [],
  rulesFolders,
  tick: () => undefined,
});

interface Row {
  readonly rule: string;
}

const matchesOf = ({ facts }: AnalyserResult): readonly string[] =>
  (facts.matches as unknown as readonly Row[]).map(({ rule }) => rule);

const files = readdirSync(ownFolder()).filter((name) => name.endsWith('.yar'));
const sources = files.map((name) => readFileSync(join(ownFolder(), name), 'utf8'));
const names = sources.flatMap((source) => [...source.matchAll(/^rule (\w+)/gm)].map(([, name]) => name ?? ''));

describe('our YARA rules', () => {
  it.each(yaraSamples())('$rule', async ({ rule, matching, other }) => {
    const found = await yara.analyse(input(matching));
    expect(matchesOf(found)).toContain(rule);
    expect(found.notes).toEqual([]);
    const finding = found.findings.find((one) => one.rule === `yara.${rule.replaceAll('_', '-')}`);
    expect(severities).toContain(finding?.severity);
    expect(finding?.benign.length).toBeGreaterThan(10);
    expect(finding?.title).not.toMatch(/malicious|malware/i);
    expect(matchesOf(await yara.analyse(input(other)))).not.toContain(rule);
  });

  it('have a sample each, and no name twice', () => {
    expect(
      yaraSamples()
        .map(({ rule }) => rule)
        .toSorted(),
    ).toEqual(names.toSorted());
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(40);
  });

  const hasProgram = spawnSync('yara', ['--version']).error === undefined;
  it.skipIf(!hasProgram)('match the same in the program yara (skipped where it is not installed)', async () => {
    const bytes = raw(
      yaraSamples()
        .map(({ matching }) => Buffer.from(matching).toString('latin1'))
        .join('\n'),
    );
    const path = join(folder, 'all.bin');
    writeFileSync(path, bytes);
    const out = spawnSync('yara', ['-w', ...files.map((name) => join(ownFolder(), name)), path], {
      encoding: 'utf8',
    }).stdout;
    const theirs = [...out.matchAll(/^(\w+) /gm)].map(([, name]) => name ?? '');
    expect(theirs.length).toBeGreaterThan(30);
    expect(matchesOf(await yara.analyse(input(bytes))).toSorted()).toEqual(theirs.toSorted());
  });
});

describe('rules of the user', () => {
  it('are used from folders; a file with a mistake is named with its line', async () => {
    writeFileSync(
      join(folder, 'good.yar'),
      'rule greeting : tag { meta: author = "me" strings: $a = "hello" condition: $a }',
    );
    writeFileSync(join(folder, 'bad.yara'), 'rule broken {\n  condition:\n    $missing\n}\n');
    const result = await yaraFolders.analyse(input(raw('well, hello there'), [folder]));
    expect(result.facts.matches).toEqual([
      {
        rule: 'greeting',
        file: 'good.yar',
        tags: ['tag'],
        meta: { author: 'me' },
        strings: [{ id: '$a', offset: 6, length: 5, text: 'hello' }],
      },
    ]);
    expect(result.notes).toEqual([expect.stringMatching(/bad\.yara:3: error/)]);
    expect(result.findings[0]?.rule).toBe('yara.greeting');
  });

  it('are compiled again when a file has changed', async () => {
    writeFileSync(join(folder, 'good.yar'), 'rule farewell { strings: $a = "goodbye" condition: $a }');
    expect(matchesOf(await yaraFolders.analyse(input(raw('hello, goodbye'), [folder])))).toEqual(['farewell']);
  });

  it('may be none, or in a folder that is not there', async () => {
    expect((await yaraFolders.analyse(input(raw('x')))).notes).toEqual([]);
    expect((await yaraFolders.analyse(input(raw('x'), [join(folder, 'nowhere')]))).notes.join()).toMatch(
      /cannot be read/,
    );
  });
});
