import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { type KindId, kindIds } from '../kinds.ts';
import {
  additionalTools,
  buildArguments,
  commandsToCheck,
  findTool,
  invocationOf,
  readCatalogue,
  toolsFor,
} from './catalogue.ts';
import { parsers } from './parsers/index.ts';

const catalogue = readCatalogue();
const { tools } = catalogue;
const count = (field: (entry: (typeof tools)[number]) => boolean): number => tools.filter(field).length;

describe('the catalogue', () => {
  it('has every tool once, in three depths', () => {
    expect(tools).toHaveLength(114);
    expect(new Set(tools.map(({ id }) => id)).size).toBe(114);
    expect(['quick', 'standard', 'deep'].map((depth) => count((entry) => entry.depth === depth))).toEqual([20, 67, 27]);
    expect(count(({ isAutomatic }) => isAutomatic)).toBe(103);
    expect(count(({ isAutomatic }) => !isAutomatic)).toBe(11);
  });

  it('asks for every command once', () => {
    const commands = commandsToCheck(catalogue).map(({ command }) => command);
    expect(commands.length).toBeGreaterThanOrEqual(88);
    expect(new Set(commands).size).toBe(commands.length);
    expect(commandsToCheck(catalogue).find(({ command }) => command === 'tshark')?.tools).toHaveLength(7);
  });

  it('names only parsers that exist, and every parser is used', () => {
    const named = new Set(tools.map(({ parser }) => parser).filter((parser) => parser !== null));
    expect([...named].toSorted()).toEqual(parsers.map(({ id }) => id).toSorted());
  });

  it('gives a folder of its own to whatever writes, and never the sample itself', () => {
    for (const { id, argv, writesFiles } of tools) {
      expect(
        argv.filter((word) => word.includes('{file}')),
        id,
      ).toHaveLength(1);
      if (argv.some((word) => word.includes('{output}'))) expect(writesFiles, id).toBe(true);
    }
    const unpacking = findTool(catalogue, 'upx-decompress');
    expect(unpacking?.argv).toEqual(['-d', '-o', '{output}/unpacked.bin', '{file}']);
    for (const id of ['apktool', 'msgconvert', 'pdfextract', 'pdfdecompress', 'jadx', 'qpdf', 'disitool']) {
      expect(findTool(catalogue, id)?.argv.join(' '), id).toContain('{output}/');
    }
  });

  it('knows which tools let code of the sample run', () => {
    const running = tools.filter(({ runsSample }) => runsSample).map(({ id }) => id);
    expect(running.toSorted()).toEqual(['box-js', 'js_unshroud', 'peepdf-3', 'spidermonkey', 'tracesc', 'webcrack']);
  });

  it('has the wider index', () => {
    expect(catalogue.groups.flatMap((group) => group.tools)).toHaveLength(236);
    const names = new Set(catalogue.groups.flatMap((group) => group.tools.map(({ name }) => name)));
    for (const alias of Object.keys(catalogue.aliases)) expect(names.has(alias), alias).toBe(true);
  });
});

/** Automatic tools per depth. */
const table: readonly (readonly [KindId, number, number, number])[] = [
  ['pe', 4, 17, 25],
  ['dotnet', 4, 12, 17],
  ['pdf', 3, 12, 13],
  ['ole2', 2, 8, 8],
  ['ooxml', 2, 9, 9],
  ['elf', 2, 7, 9],
  ['pcap', 3, 8, 9],
  ['javascript', 3, 5, 8],
  ['rtf', 2, 3, 3],
  ['apk', 1, 5, 5],
];

describe('toolsFor', () => {
  it.each(table)('%s: %i quick, %i standard, %i deep', (kind, ...expected) => {
    const counts = (['quick', 'standard', 'deep'] as const).map(
      (depth) => toolsFor(catalogue, kind, depth, { isAutomaticOnly: true }).length,
    );
    expect(counts).toEqual(expected);
  });

  it('has something for every kind, quick ones first', () => {
    for (const kind of kindIds) expect(toolsFor(catalogue, kind, 'quick').length, kind).toBeGreaterThan(0);
    const found = toolsFor(catalogue, 'pe', 'deep').map(({ depth }) => depth);
    expect(found.lastIndexOf('quick')).toBeLessThan(found.indexOf('standard'));
    expect(found.lastIndexOf('standard')).toBeLessThan(found.indexOf('deep'));
  });

  it('takes tools for raw code in when data calls itself a program', () => {
    const plain = toolsFor(catalogue, 'data', 'deep').map(({ id }) => id);
    const disguised = toolsFor(catalogue, 'data', 'deep', { hasExecutableName: true }).map(({ id }) => id);
    expect(plain).not.toContain('speakeasy-sc-x64');
    expect(disguised).toEqual(expect.arrayContaining(['speakeasy-sc-x64', '1768', 'csce', ...plain]));
  });

  it('reads messages as messages, whoever wrote them', () => {
    expect(toolsFor(catalogue, 'msg', 'quick').map(({ id }) => id)).toContain('msgconvert');
    expect(toolsFor(catalogue, 'office-encrypted', 'standard').map(({ id }) => id)).toContain('msoffcrypto-crack');
  });
});

describe('findTool', () => {
  it.each([
    ['capa-vv', 'capa-vv'],
    ['pdfid.py', 'pdfid'],
    ['cut-bytes', 'cut-bytes'],
    ['oledump', 'oledump'],
    ['vol3', 'vol3-info'],
    ['xorsearch.py', 'xorsearch.py'],
  ])('%s is %s', (name, id) => expect(findTool(catalogue, name)?.id).toBe(id));

  it('knows nothing else', () => expect(findTool(catalogue, 'rm')).toBeUndefined());
});

describe('buildArguments', () => {
  const entry = findTool(catalogue, 'box-js');

  it('fills places in without any reading of them', () => {
    if (entry === undefined) throw new Error('box-js is missing');
    const file = '/s/a b;$(x) {output} \'"';
    expect(buildArguments(entry, { file, output: '/o' })).toEqual([
      'box-js',
      '--timeout',
      '60',
      '--output-dir',
      '/o/box-js-out',
      file,
    ]);
  });

  it.each(['-rf', 'x', '', '/a\0b'])('refuses %j', (file) => {
    if (entry === undefined) throw new Error('box-js is missing');
    expect(() => buildArguments(entry, { file, output: '/o' })).toThrow(UsageError);
  });
});

describe('invocationOf', () => {
  it.each([
    ['qpdf', 'qpdf --decrypt <file> <output>/decrypted.pdf'],
    ['capa', 'capa -j <file>'],
    ['r2ghidra', "r2 -A -q -e scr.color=0 -e log.quiet=true -c 'pdg @ entry0; pdg @ main' <file>"],
    ['cut-bytes', 'cut-bytes.py -x 0:512l <file>'],
  ])('%s', (id, shown) => {
    const entry = findTool(catalogue, id);
    expect(entry === undefined ? undefined : invocationOf(entry)).toBe(shown);
  });
});

describe('additionalTools', () => {
  it('offers what the catalogue does not run', () => {
    const names = additionalTools(catalogue, 'pe').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['bearparser', 'ghidra', 'bytehist']));
    expect(names).not.toEqual(expect.arrayContaining(['capa']));
    expect(names).not.toContain('readpe-formerly-pev');
    expect(new Set(names).size).toBe(names.length);
  });

  it('has something for every kind', () => {
    for (const kind of kindIds) expect(additionalTools(catalogue, kind).length, kind).toBeGreaterThan(0);
  });
});
