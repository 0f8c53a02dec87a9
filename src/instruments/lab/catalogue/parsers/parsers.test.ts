import { describe, expect, it } from 'vitest';
import { capa, largeCapa } from '../../../../../test/samples/lab/tool-outputs/capa-outputs.ts';
import * as outputs from '../../../../../test/samples/lab/tool-outputs/outputs.ts';
import type { AnalyserResult } from '../../contract.ts';
import { parseOutput } from './index.ts';

const read = (parser: string, output: string): AnalyserResult =>
  parseOutput({ id: parser, parser }, Buffer.from(output));
const rulesOf = ({ findings }: AnalyserResult): readonly string[] => findings.map(({ rule }) => rule);

describe('facts', () => {
  const table: readonly (readonly [string, string, object, readonly string[]])[] = [
    [
      'diec',
      outputs.diec,
      { packers: ['Packer: UPX(4.02)[NRV,brute]'], compilers: ['Compiler: MinGW'] },
      ['diec.packer'],
    ],
    ['diec', outputs.flatDiec, { installers: ['Installer: NSIS(3.08)'], packers: [] }, ['diec.installer']],
    [
      'pdfid',
      outputs.pdfid,
      {
        is_pdf: true,
        header: '%PDF-1.5',
        hidden_names: ['/JS'],
        counts: expect.objectContaining({ '/JavaScript': 2, obj: 20 }),
      },
      ['pdfid.js', 'pdfid.javascript', 'pdfid.openaction', 'pdfid.uri', 'pdfid.hidden-names'],
    ],
    [
      'pdf-parser',
      outputs.pdfParser,
      {
        comment: 10,
        indirect_object: 18,
        keywords: { '/JS': 1, '/JavaScript': 1, '/OpenAction': 1, '/EmbeddedFile': 1 },
      },
      ['pdf-parser.js', 'pdf-parser.javascript', 'pdf-parser.openaction', 'pdf-parser.embeddedfile'],
    ],
    [
      'olevba',
      outputs.olevba,
      { has_macros: true, module_count: 2 },
      ['olevba.autoexec', 'olevba.suspicious', 'olevba.ioc', 'olevba.vba-stomping'],
    ],
    ['olevba', outputs.olevbaNone, { has_macros: false, module_count: 0, keywords: [] }, []],
    [
      'oleid',
      outputs.oleid,
      {
        is_encrypted: false,
        indicators: expect.objectContaining({ 'VBA Macros': { value: 'Yes, suspicious', risk: 'HIGH' } }),
      },
      ['oleid.vba-macros', 'oleid.external-relationships'],
    ],
    ['oleid', outputs.oleidOld, { is_encrypted: true }, []],
    [
      'peframe',
      outputs.peframe,
      {
        packers: ['UPX v3.0'],
        notable_imports: ['IsDebuggerPresent', 'CreateRemoteThread', 'RegSetValueEx'],
        information: expect.objectContaining({ imagebase: '0x400000', hash_sha256: 'ab'.repeat(32) }),
        urls: ['http://files.example.com/x'],
      },
      ['peframe.packer', 'peframe.anti-debug', 'peframe.notable-imports'],
    ],
    [
      'readelf-header',
      outputs.readelfHeader,
      { class: 'ELF64', entry_point: '0x401000', section_count: 0, program_header_count: 3 },
      ['readelf.no-sections'],
    ],
    [
      'floss',
      outputs.flossText,
      {
        string_counts: { static: 3, stack: 1, tight: 0, decoded: 2 },
        decoded_strings: ['http://two.example.com/', 'decoded'],
      },
      ['floss.decoded-strings', 'floss.stack-strings'],
    ],
    [
      'floss',
      outputs.flossJson,
      { string_counts: { static: 1, stack: 1, tight: 0, decoded: 1 } },
      ['floss.decoded-strings', 'floss.stack-strings'],
    ],
    [
      'yara',
      outputs.yara,
      { rules: ['Harmless_Text', 'UPX_Packed', 'UPXv30_more'], packers: ['UPX'], rule_count: 3 },
      ['yara.packer-upx', 'yara.harmless_text'],
    ],
    [
      'exiftool',
      outputs.exiftool,
      {
        tag_count: 3,
        metadata: { 'File Type': 'PDF', Author: 'somebody@example.com', 'Create Date': '2020:01:02 03:04:05' },
      },
      [],
    ],
    ['ssdeep', outputs.ssdeep, { ssdeep: '3072:DblyvE2VecD2crUvYpr0meZJfEdjdkIKacl:DyEaeS10VhEdjyIdcl' }, []],
    [
      'tshark-dns',
      outputs.tsharkDns,
      { name_count: 2, answers: { 'www.example.com': ['192.0.2.7', '192.0.2.8'], 'mail.example.com': [] } },
      [],
    ],
    ['tshark-names', outputs.tsharkNames, { server_names: ['tls.example.com'] }, []],
    [
      'tshark-fingerprint',
      outputs.tsharkFingerprint,
      {
        greeting_count: 1,
        greetings: [expect.objectContaining({ ja4: 't13d1516h2_8daaf6152771_b186095e22b6', port: 443 })],
      },
      [],
    ],
    [
      'tshark-conversations',
      outputs.tsharkConversations,
      {
        conversation_count: 2,
        conversations: [
          expect.objectContaining({
            first: '10.0.0.1',
            second_port: 443,
            bytes_to_first: 54,
            bytes_to_second: 184,
            frames: 3,
            bytes: 238,
            duration_seconds: 2,
          }),
          expect.objectContaining({ first: '[2001:db8::1]', bytes: 6000, duration_seconds: 7.5 }),
        ],
      },
      [],
    ],
    [
      'rtfobj',
      outputs.rtfobj,
      {
        object_count: 3,
        objects: [
          expect.objectContaining({ class_name: 'Equation.3', size: 3072 }),
          expect.objectContaining({ id: 1, class_name: null }),
          expect.objectContaining({ id: 2, class_name: 'OLE2Link' }),
        ],
      },
      ['rtfobj.objects', 'rtfobj.equation', 'rtfobj.known-exploit'],
    ],
    ['oledump', outputs.oledump, { stream_count: 6, macro_stream_count: 1 }, ['oledump.macros', 'oledump.objects']],
  ];

  it.each(table)('%s', (parser, output, facts, rules) => {
    const result = read(parser, output);
    expect(result.facts).toMatchObject(facts);
    expect(rulesOf(result)).toEqual(rules);
    expect(result.notes).toEqual([]);
  });
});

describe('capa', () => {
  it('takes techniques and behaviours from the rule, and evidence from what matched', () => {
    const { facts, findings } = read('capa', capa);
    expect(facts).toMatchObject({
      rule_count: 5,
      attack_techniques: ['T1055.003', 'T1059.003'],
      mbc_behaviors: ['B0023', 'C0026.002', 'E1055.m03'],
      behavior_capable: ['inject thread', 'encode by xor'],
      artifact_only: ['reference a shell'],
      evidence_types: {
        'inject thread': ['behavior'],
        'reference a shell': ['artifact'],
        'linked against zlib': ['linking'],
        'contain an embedded PE': ['structural'],
        'encode by xor': ['behavior'],
      },
    });
    expect(findings.map(({ evidenceType }) => evidenceType)).toEqual([
      'behaviour',
      'artifact',
      'structural',
      'structural',
      'behaviour',
    ]);
    expect(findings[0]).toMatchObject({ attack: ['T1055.003'], mbc: ['E1055.m03'] });
    expect(findings[0]?.evidence.map(({ text }) => text)).toEqual(['number: 0x40', 'api: CreateRemoteThread']);
  });

  it('reads documents of the size that real runs have', () => {
    expect(largeCapa.length).toBeGreaterThan(100_000);
    const { facts, findings, notes } = read('capa', `WARNING: some preamble\n${largeCapa}\n`);
    expect(facts.rule_count).toBe(400);
    expect(findings).toHaveLength(400);
    expect(notes).toEqual([]);
  });
});

describe('texts for indicators', () => {
  it('holds macro source and not the banner of the tool', () => {
    const { texts } = read('olevba', outputs.olevba);
    expect(texts).toHaveLength(1);
    expect(texts[0]?.text).toContain('files.example.com');
    expect(JSON.stringify(read('olevba', outputs.olevba))).not.toContain('decalage');
    expect(JSON.stringify(read('olevba', outputs.olevbaNone))).not.toContain('decalage');
  });

  it('joins wrapped cells', () => {
    const keywords = read('olevba', outputs.olevba).facts.keywords;
    expect(keywords).toContainEqual({
      type: 'Suspicious',
      keyword: 'Shell',
      description: 'May run an executable file or a system command',
    });
  });

  it('holds what an object links to', () => {
    expect(read('rtfobj', outputs.rtfobj).texts[0]?.text).toContain('http://files.example.com/default.hta');
  });

  it('holds what code decodes', () => {
    expect(read('floss', outputs.flossText).texts.map(({ label }) => label)).toEqual([
      'floss static strings',
      'floss stack strings',
      'floss decoded strings',
    ]);
  });
});

describe('names of files', () => {
  it('are not read as rows', () => {
    const spoofed = outputs.oleid.replace('Filename: /sample', 'Filename: /a|b|HIGH|c');
    expect(read('oleid', spoofed)).toEqual(read('oleid', outputs.oleid));
    const odd = outputs.oleid.replace('|HIGH      |', '|constructor|');
    expect(rulesOf(read('oleid', odd))).toEqual(['oleid.external-relationships']);
  });
});

describe('output of another form', () => {
  it.each(Object.keys(outputs.outputsByParser))('%s says that it did not understand', (parser) => {
    const result = read(parser, 'Segmentation fault\n\u0000\u0001 garbage here\n');
    expect(result.findings).toEqual([]);
    expect(result.notes.length).toBe(1);
  });
});

it('knows no more than the exit code where there is no parser', () => {
  expect(parseOutput({ id: 'x', parser: null }, Buffer.from('anything'))).toEqual({
    facts: {},
    findings: [],
    texts: [],
    children: [],
    notes: [],
  });
});
