import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Aim, Parsed, ScanOutput } from '../contract.ts';
import { parseArjun } from './arjun.ts';
import { parseFfuf } from './ffuf.ts';
import { parseNmap } from './nmap.ts';
import { parseNuclei } from './nuclei.ts';

function recorded(name: string): Buffer {
  return readFileSync(new URL(`../../../../test/samples/probe/outputs/${name}`, import.meta.url));
}

const empty: ScanOutput = {
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  outputFile: null,
  exitCode: 0,
  isWhole: true,
};
const aim: Aim = {
  label: 'http://127.0.0.1:8099/FUZZ',
  host: '127.0.0.1',
  addresses: ['127.0.0.1'],
  ports: [{ from: 8099, to: 8099 }],
  url: 'http://127.0.0.1:8099/FUZZ',
};

describe('nmap', () => {
  const xml = recorded('nmap-service.xml');
  const lines = recorded('nmap-connect.txt');

  it('reads ports and what serves them', () => {
    expect(parseNmap({ ...empty, outputFile: xml })).toEqual({
      findings: [
        {
          host: '127.0.0.1',
          port: 8088,
          protocol: 'tcp',
          state: 'open',
          service: 'http',
          product: 'SimpleHTTPServer',
          version: '0.6',
          extra_info: 'Python 3.11.7',
          tunnel: null,
          cpe: ['cpe:/a:python:simplehttpserver:0.6'],
          is_detected: true,
        },
      ],
      notes: ['10 ports closed'],
    });
  });

  it('reads XML that was written to stdout', () => {
    expect(parseNmap({ ...empty, stdout: recorded('nmap-connect.xml') }).findings).toMatchObject([
      { port: 8099, service: 'unknown', is_detected: false },
    ]);
  });

  it('takes what was discovered when the host was not written yet', () => {
    const cut = xml.subarray(0, xml.indexOf('<host '));
    const { findings, notes } = parseNmap({ ...empty, stdout: lines, outputFile: cut });
    expect(findings).toMatchObject([{ host: '127.0.0.1', port: 8099, protocol: 'tcp', state: 'open', service: null }]);
    expect(notes).toEqual([expect.stringContaining('did not come to its end')]);
  });

  it('does not say a port twice', () => {
    const { findings } = parseNmap({ ...empty, stdout: lines, outputFile: recorded('nmap-connect.xml') });
    expect(findings).toHaveLength(1);
  });

  it.each<[string, number, string]>([
    ['<port protocol="tcp" portid="abc"><state state="open"/></port>', 0, 'without a number'],
    ['<port protocol="tcp" portid="70000"><state state="open"/></port>', 0, 'without a number'],
    ['<port protocol="tcp" portid="0"><state state="open"/></port>', 0, 'without a number'],
    ['<port protocol="x" portid="80"><state state="open"/></port>', 0, 'without a number'],
    ['<port protocol="tcp" portid="80"><state state="ajar"/></port>', 0, 'state that nmap does not have'],
    ['<port protocol="tcp" portid="80"><state state="open|filtered"/></port>', 1, 'did not come to its end'],
    ['<port protocol="tcp" portid="80"><state state="open"/><port protocol="tcp" portid="81">', 1, 'its end'],
    ['<extraports state="filtered" count="990"/>', 0, '990 ports filtered'],
    ['<host timedout="true"/>', 0, 'want of time'],
    ['<finished exit="error" errormsg="no &#27;[1m way"/>', 0, String.raw`no \x1b[1m way`],
    ['<a>'.repeat(30_000), 0, 'nested too deep'],
  ])('%.60s', (text, count, note) => {
    const { findings, notes } = parseNmap({ ...empty, outputFile: Buffer.from(text) });
    expect(findings).toHaveLength(count);
    expect(notes.join('\n')).toContain(note);
  });
});

describe('ffuf', () => {
  it.each<[string, number, object]>([
    [
      'ffuf-1.json.out',
      8,
      { url: 'http://127.0.0.1:8099/.env', word: '.env', status: 200, length: 11, words: 1, lines: 2, redirect: null },
    ],
    [
      'ffuf-2.json.out',
      2,
      { url: 'http://127.0.0.1:8099/health', status: 200, content_type: 'application/json', duration_ms: 2 },
    ],
  ])('%s', (name, count, first) => {
    const { findings, notes } = parseFfuf({ ...empty, outputFile: recorded(name) }, aim);
    expect(findings).toHaveLength(count);
    expect(findings[0]).toMatchObject(first);
    expect(findings.find(({ status }) => status === 301)).toMatchObject({ redirect: '/new' });
    expect(notes).toEqual([]);
  });

  it('takes what was printed when there is no file', () => {
    const stderr = Buffer.from('Maximum running time for entire process reached, exiting.');
    const { findings, notes } = parseFfuf({ ...empty, stdout: recorded('ffuf-1.txt'), stderr, isWhole: false }, aim);
    expect(findings).toHaveLength(8);
    expect(findings[0]).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8099\/[^F]/),
      status: null,
    });
    expect(notes).toEqual([expect.stringContaining('missing or cut'), expect.stringContaining('ran out of time')]);
  });

  it.each([50, 400, 900, 1500, 2000])('loses nothing when its file is cut at %i', (at) => {
    const outputFile = recorded('ffuf-1.json.out').subarray(0, at);
    const { findings } = parseFfuf({ ...empty, stdout: recorded('ffuf-1.txt'), outputFile, isWhole: false }, aim);
    expect(new Set(findings.map(({ url }) => url)).size).toBe(8);
    expect(findings).toHaveLength(8);
  });

  it.each<[string, number]>([
    ['5', 0],
    ['null', 0],
    ['{"results":[1]}', 0],
    ['{"results":{"a":1}}', 0],
    ['{"results":[{"url":1,"status":"x"},[],"{",{"input":"x","status":200}]}', 1],
    ['{"config":{"results":[{"url":"http://a/","status":200}]}}', 0],
    ['{"results":[{"url":"http://a/","status":200}],"results":[{"url":"http://b/","status":200}]}', 1],
    ['{"results":[{"url":"http://a/","status":1e99},{"url":"http://a/","status":-1}]}', 0],
    [`{"results":[${'['.repeat(100_000)}`, 0],
  ])('%.60s', (text, count) => {
    const { findings, notes } = parseFfuf({ ...empty, outputFile: Buffer.from(text) }, aim);
    expect(findings).toHaveLength(count);
    if (count === 0) expect(notes).not.toEqual([]);
  });
});

describe('arjun', () => {
  const found = { url: 'http://127.0.0.1:8099/search', params: ['debug'], method: 'GET' };

  it('reads its file', () => {
    expect(parseArjun({ ...empty, outputFile: recorded('arjun-2.json.out') }, aim)).toEqual({
      findings: [found],
      notes: [],
    });
  });

  it('takes what was printed when there is no file', () => {
    const { findings } = parseArjun({ ...empty, stdout: recorded('arjun-2.txt') }, aim);
    expect(findings).toEqual([{ url: aim.url, params: ['debug'], method: null }]);
  });

  it.each<[string, readonly object[]]>([
    ['{"http://a/":["x","y","x",1,null]}', [{ url: 'http://a/', params: ['x', 'y'], method: null }]],
    [
      '{"http://a/":{"GET":["x"],"POST":["y"]}}',
      [
        { url: 'http://a/', params: ['x'], method: 'GET' },
        { url: 'http://a/', params: ['y'], method: 'POST' },
      ],
    ],
    ['{"http://a/":{"params":[]}}', []],
    ['{"http://a/":5}', []],
    ['{"__proto__":{"params":["x"]}}', [{ url: '__proto__', params: ['x'], method: null }]],
    ['[]', []],
    ['', []],
  ])('%s', (text, wanted) => {
    expect(parseArjun({ ...empty, outputFile: Buffer.from(text) }, aim).findings).toEqual(wanted);
  });

  it.each([
    ['[-] Skipped None due to errors', 'did not answer'],
    ['[-] Target has rate limiting in place, please use --stable switch', 'limits the rate'],
    ['[-] Target is misbehaving. Try the --stable swtich.', 'unsteady'],
    ['[-] Server received a bad request. Try decreasing the chunk size', 'bad request'],
  ])('%s', (line, note) => {
    expect(parseArjun({ ...empty, stdout: Buffer.from(line) }, aim).notes.join()).toContain(note);
  });
});

describe('nuclei', () => {
  const lines = recorded('nuclei-3.jsonl');

  it('reads its lines', () => {
    const { findings, notes } = parseNuclei({ ...empty, stdout: lines });
    expect(notes).toEqual([]);
    expect(findings).toMatchObject([
      { template_id: 'weak-server', name: 'Server header', severity: 'info', matched_at: 'http://127.0.0.1:8099/' },
      { template_id: 'weak-metrics', severity: 'medium', type: 'http', extracted: ['b 2'], tags: ['exposure', 'api'] },
    ]);
  });

  it.each([
    '[]',
    '123',
    '{"info":"x"}',
    '{"template-id":"x"}',
    '{"template-id":7,"info":{}}',
    'null',
    '{',
    '['.repeat(99_999),
  ])('a line that is no match is counted: %.20s', (line) => {
    const stdout = Buffer.concat([Buffer.from(`${line}\n${line}\n`), lines]);
    const { findings, notes }: Parsed = parseNuclei({ ...empty, stdout });
    expect(findings).toHaveLength(2);
    expect(notes).toEqual(['lines of nuclei that are no match: 2 left out']);
  });

  it('takes texts of a target as data', () => {
    const line = {
      'template-id': 'x\u001b[2J',
      info: { name: 'n'.repeat(9999), severity: 'apocalyptic', tags: 'a,b' },
    };
    const [finding] = parseNuclei({ ...empty, stdout: Buffer.from(JSON.stringify(line)) }).findings;
    expect(finding).toMatchObject({ template_id: String.raw`x\x1b[2J`, severity: 'unknown', tags: ['a,b'] });
    expect(String(finding?.name)).toHaveLength(500);
  });

  it('says when no template fits', () => {
    const stderr = Buffer.from('[FTL] Could not run nuclei: no templates provided for scan');
    expect(parseNuclei({ ...empty, stderr }).notes.join()).toContain('no template');
  });
});
