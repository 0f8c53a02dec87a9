import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';
import { extractIndicators } from './extract.ts';
import { indicatorKinds } from './kinds/index.ts';
import { toMisp } from './misp.ts';
import { stixPattern, toStix } from './stix.ts';
import { observableId } from './stix-objects.ts';
import type { Indicator } from './types.ts';
import { toYara, yaraString } from './yara.ts';

const text = String.raw`hxxp://evil[.]com/x'y AS13335 203.0.114.7:4444 203.0.114.0/24 2a00:1450::/32 2a00:1450::1 bob@evil.com
C:\Temp\it's.exe /tmp/x/y f34d5f2d4577ed6d9ceec516c1f5a744 HKLM\Software\Evil Global\evil-1 00:1a:2b:3c:4d:5e
CVE-2017-11882 T1059.001 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa User-Agent: Evil
imphash: e34d5f2d4577ed6d9ceec516c1f5a744 \\srv1\share\x E:\x\evil.pdb 10.0.0.1`;
const result = extractIndicators(text, { includeNoise: true });
const at = new Date('2026-01-02T03:04:05.678Z');
const sha256 = 'D7A8FBB307D7809469CA9ABCB0082E4F8D5651E46D3CDB762D02D0BF37C9E592';
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

type Bag = { readonly [key: string]: unknown };
const objectsOf = (bundle: Bag): readonly Bag[] => bundle.objects as readonly Bag[];

describe('toStix', () => {
  const bundle = toStix(result, { name: 'sample', sha256, tlp: 'amber', at });
  const objects = objectsOf(bundle);
  const ids = new Set(objects.map(({ id }) => id));
  const required: Readonly<Record<string, readonly string[]>> = {
    indicator: ['created', 'modified', 'pattern', 'pattern_type', 'valid_from'],
    'observed-data': ['created', 'modified', 'first_observed', 'last_observed', 'number_observed', 'object_refs'],
    relationship: ['created', 'modified', 'relationship_type', 'source_ref', 'target_ref'],
    grouping: ['created', 'modified', 'context', 'object_refs'],
    note: ['created', 'modified', 'content', 'object_refs'],
    vulnerability: ['created', 'modified', 'name'],
    'attack-pattern': ['created', 'modified', 'name'],
    'marking-definition': ['created', 'definition_type', 'definition'],
    url: ['value'],
    'domain-name': ['value'],
    'ipv4-addr': ['value'],
    'ipv6-addr': ['value'],
    'email-addr': ['value'],
    'mac-addr': ['value'],
    'autonomous-system': ['number'],
    file: [],
    directory: ['path'],
    mutex: ['name'],
    'windows-registry-key': ['key'],
  };

  it('is a bundle whose objects have what the standard asks for', () => {
    expect(bundle).toMatchObject({ type: 'bundle', id: expect.stringMatching(new RegExp(`^bundle--${uuid}$`)) });
    expect(ids.size).toBe(objects.length);
    for (const object of objects) {
      const type = String(object.type);
      expect(Object.keys(required)).toContain(type);
      expect(object.spec_version).toBe('2.1');
      if (type !== 'marking-definition') expect(object.id).toMatch(new RegExp(`^${type}--${uuid}$`));
      for (const property of required[type] ?? []) expect(object, type).toHaveProperty(property);
    }
  });

  it('refers to nothing that is not in it', () => {
    const named = objects.flatMap(({ source_ref, target_ref, object_refs, object_marking_refs }) =>
      [source_ref, target_ref, object_refs, object_marking_refs].flat().filter((reference) => reference !== undefined),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((reference) => !ids.has(reference))).toEqual([]);
  });

  it('leaves noise out, and has a note for what has no form', () => {
    expect(JSON.stringify(bundle)).not.toContain('10.0.0.1');
    const note = objects.find(({ type }) => type === 'note');
    expect(note?.content).toBe(`pdb_path: E:\\x\\evil.pdb\nbtc: 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa`);
  });

  it('is the same for the same result at the same moment', () => {
    expect(toStix(result, { name: 'sample', sha256, tlp: 'amber', at })).toEqual(bundle);
    expect(objectsOf(toStix({ indicators: [] }, { name: 'x', at }))).toEqual([]);
  });

  it.each([
    ['domain', 'evil.com', "[domain-name:value = 'evil.com']"],
    ['url', "http://evil.com/x'y", String.raw`[url:value = 'http://evil.com/x\'y']`],
    ['md5', 'ab', "[file:hashes.'MD5' = 'ab']"],
    ['asn', 'AS13335', '[autonomous-system:number = 13335]'],
    ['network_port', '4444', '[network-traffic:dst_port = 4444]'],
    ['cidr', '2a00::/16', "[ipv6-addr:value = '2a00::/16']"],
    [
      'windows_path',
      String.raw`C:\Temp\it's.exe`,
      String.raw`[file:name = 'it\'s.exe' AND file:parent_directory_ref.path = 'C:\\Temp']`,
    ],
    ['registry_key', String.raw`HKLM\Software\Evil`, String.raw`[windows-registry-key:key = 'HKLM\\Software\\Evil']`],
    ['btc', 'x', undefined],
  ] as const)('has a pattern for %s %s', (type, value, expected) => {
    expect(stixPattern({ type, value })).toBe(expected);
  });

  it.each([
    [{ type: 'ipv4-addr', value: '198.51.100.3' }, 'ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4'],
    [{ type: 'domain-name', value: 'example.com' }, 'domain-name--bedb4899-d24b-5401-bc86-8f6b4cc18ec7'],
  ])('gives an observable the id that everybody gives it: %j', (object, id) => {
    expect(observableId(object)).toBe(id);
  });
});

describe('toMisp', () => {
  const { Event } = toMisp(result, { name: 'sample', sha256, tlp: 'green', at });
  const of = (value: string): unknown => Event.Attribute.find((attribute) => attribute.value === value);

  it('is an event with attributes of the right types', () => {
    expect(Event).toMatchObject({
      info: 'sample',
      date: '2026-01-02',
      threat_level_id: '4',
      Tag: [{ name: 'tlp:green' }],
    });
    expect(of(sha256.toLowerCase())).toMatchObject({ type: 'sha256', to_ids: false });
    expect(of('evil.com')).toMatchObject({ type: 'domain', category: 'Network activity', to_ids: true });
    expect(of('203.0.114.7')).toMatchObject({ type: 'ip-dst', category: 'Network activity', to_ids: true });
    expect(of('13335')).toMatchObject({ type: 'AS', to_ids: false });
    expect(of('CVE-2017-11882')).toMatchObject({ type: 'vulnerability', category: 'External analysis', to_ids: false });
    expect(of('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toMatchObject({ type: 'btc', category: 'Financial fraud' });
    expect(of('00:1a:2b:3c:4d:5e')).toMatchObject({ type: 'mac-address', to_ids: false });
    expect(of('10.0.0.1')).toBeUndefined();
    expect(new Set(Event.Attribute.map((attribute) => attribute.uuid)).size).toBe(Event.Attribute.length);
  });

  it('has a type and a category for each kind', () => {
    for (const { misp } of indicatorKinds) expect([misp.type === '', misp.category === '']).toEqual([false, false]);
  });
});

describe('toCsv', () => {
  const one = (value: string, context = ''): Indicator => ({
    type: 'user_agent',
    value,
    confidence: 0.8,
    count: 1,
    sources: ['a', 'b'],
    context,
  });

  it.each([
    ['=cmd()', `"'=cmd()"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@x', `"'@x"`],
    [' =x', `"' =x"`],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['plain', 'plain'],
  ])('writes %j as %j', (value, cell) => {
    expect(toCsv({ indicators: [one(value)] })).toBe(
      `type,value,original,confidence,count,sources,noise,context\r\nuser_agent,${cell},,0.8,1,a; b,,\r\n`,
    );
  });
});

describe('toYara', () => {
  it('escapes what a text in quotes cannot hold', () => {
    expect(yaraString('a"b\\c\né')).toBe(String.raw`"a\"b\\c\x0a\xc3\xa9"`);
  });

  it('makes a rule that compiles, and that finds what it was made of', async () => {
    const yara = await import('@virustotal/yara-x');
    const entry = createRequire(import.meta.url).resolve('@virustotal/yara-x');
    yara.initSync({ module: readFileSync(join(dirname(entry), 'yara_x_js_bg.wasm')) });
    const rule = toYara(extractIndicators(text), { name: 'x-1' }) ?? '';
    expect(rule).toContain('rule indicators_x_1');
    using compiler = new yara.Compiler();
    compiler.addSource(rule);
    using rules = compiler.build();
    const matches = (payload: string): number => rules.scan(Buffer.from(payload)).matches.length;
    expect([matches(text), matches('GLOBAL nothing')]).toEqual([1, 0]);
    expect(toYara({ indicators: [] }, { name: 'x' })).toBeUndefined();
  });
});
