import { describe, expect, it } from 'vitest';
import { rtf } from '../../../../src/instruments/lab/analysers/rtf/rtf.ts';
import { analyseSample, rulesOf } from '../office/analyse-sample.ts';
import { survivesDamage } from '../office/fuzz.ts';
import {
  makeBinaryRtf,
  makeEquationRtf,
  makeGroupedRtf,
  makeHiddenRtf,
  makeLinkRtf,
  makeOverlayRtf,
  makePackageRtf,
  makePlainRtf,
  makeTemplateRtf,
} from './make-rtf.ts';

interface Expected {
  readonly what: string;
  readonly make: () => Buffer;
  readonly facts: Record<string, unknown>;
  readonly rules: readonly string[];
  readonly children: readonly (readonly [name: string, content: string])[];
}

const table: readonly Expected[] = [
  {
    what: 'a plain document',
    make: makePlainRtf,
    facts: { object_count: 0, properties: { author: 'Sample Author' } },
    rules: [],
    children: [],
  },
  {
    what: 'a packed file',
    make: makePackageRtf,
    facts: { object_count: 1, objects: [expect.objectContaining({ class: 'Package', format: 'embedded' })] },
    rules: ['office.embedded.executable-name', 'office.embedded.object', 'office.embedded.package'],
    children: [['invoice.vbs', 'WScript.Echo "sample"']],
  },
  {
    what: 'a packed file between noise',
    make: () => makeHiddenRtf(),
    facts: {
      object_count: 1,
      header: '{\\rt0\\an',
      embedded_packages: [expect.objectContaining({ source_path: 'C:\\Temp\\hidden.js' })],
    },
    rules: [
      'office.embedded.executable-name',
      'office.embedded.object',
      'office.embedded.package',
      'rtf.malformed-header',
      'rtf.obfuscated-data',
    ],
    children: [['hidden.js', 'WScript.Echo("hidden");']],
  },
  {
    what: 'a packed file in raw bytes',
    make: makeBinaryRtf,
    facts: { object_count: 1 },
    rules: ['office.embedded.object', 'office.embedded.package'],
    children: [['bin.txt', 'raw bytes {}\\']],
  },
  {
    what: 'a template in numbers',
    make: () => makeTemplateRtf(),
    facts: { templates: ['http://template.example.com/a.dotm'], hyperlinks: ['"https://link.example.com/"'] },
    rules: ['office.remote-template'],
    children: [],
  },
  {
    what: 'bytes behind the end',
    make: makeOverlayRtf,
    facts: { overlay_bytes: 20 },
    rules: ['rtf.overlay'],
    children: [['overlay', 'bytes behind the end']],
  },
];

describe('RTF documents', () => {
  it.each(table)('$what', async ({ make, facts, rules, children }) => {
    const result = await analyseSample(rtf, make());
    expect(result.facts).toMatchObject(facts);
    expect(rulesOf(result)).toEqual([...rules]);
    expect(result.children.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1')])).toEqual(children);
    expect(result.notes).toEqual([]);
  });

  it('takes a compound object out and sees the formula in it', async () => {
    const result = await analyseSample(rtf, makeEquationRtf());
    expect(rulesOf(result)).toEqual(['office.embedded.equation', 'office.embedded.object', 'rtf.object.update']);
    expect(result.children.map(({ name }) => name)).toEqual(['object-1.ole', 'equation-native.bin']);
  });

  it('reads digits in a group nobody knows when the object makes sense only with them', async () => {
    const result = await analyseSample(rtf, makeGroupedRtf());
    expect(result.children.map(({ name }) => name)).toEqual(['grouped.js']);
  });

  it('names where a linked object lies', async () => {
    const result = await analyseSample(rtf, makeLinkRtf());
    expect(rulesOf(result)).toEqual(['office.embedded.object', 'rtf.object.link', 'rtf.object.update']);
    expect(result.texts).toContainEqual({
      label: 'target of a linked object',
      text: 'http://link.example.com/a.html\n',
    });
  });

  it('is not stopped by groups without end', async () => {
    const result = await analyseSample(rtf, Buffer.from('{\\rtf1'.repeat(160_000)));
    expect(result.notes).toContain('the document ends inside of a group');
  });
});

describe('damaged RTF documents', () => {
  it('throw nothing', async () => {
    await survivesDamage(rtf, [...table.map(({ make }) => make()), makeEquationRtf(), makeLinkRtf()]);
  }, 3_600_000);
});
