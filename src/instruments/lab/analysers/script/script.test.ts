import { describe, expect, it } from 'vitest';
import { fuzzAnalyser, inputOf, usedMs } from '../../../../../test/samples/lab/fuzz-analyser.ts';
import { scriptSamples } from '../../../../../test/samples/lab/script/make-scripts.ts';
import type { AnalyserResult } from '../../contract.ts';
import type { KindId } from '../../kinds.ts';
import { script } from './script.ts';

const analyse = (bytes: Uint8Array, kind: KindId, name = 'sample'): AnalyserResult =>
  script.analyse(inputOf(bytes, kind, { name })) as AnalyserResult;

describe('samples', () => {
  it.each(scriptSamples)('$name', ({ text, kind, hidden, rules = [] }) => {
    const result = analyse(Buffer.from(text, 'latin1'), kind);
    expect(result.texts.map((one) => one.text).join('\n')).toContain(hidden);
    expect(result.findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining([...rules]));
    expect(result.notes).toEqual([]);
  });

  it('gives the file of a smuggling page as a child', () => {
    const page = scriptSamples.find(({ name }) => name === 'smuggling page');
    const { children } = analyse(Buffer.from(page?.text ?? ''), 'html');
    expect(children.map(({ bytes }) => Buffer.from(bytes.subarray(0, 3)).toString('hex'))).toContain('4d5a07');
  });

  it('reads UTF-16, and says what it read', () => {
    const text = 'WScript.Echo "http://marker.example.com"';
    for (const [bytes, encoding] of [
      [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]), 'utf-16le'],
      [Buffer.from(text, 'utf16le'), 'utf-16le'],
      [Buffer.from(text), 'utf-8'],
    ] as const) {
      const result = analyse(bytes, 'vbscript');
      expect(result.facts.encoding).toBe(encoding);
      expect(result.texts[0]?.text).toContain('marker.example.com');
    }
  });

  it.each([
    ['javascript', 'function add(a, b) { return a + b; }\nconsole.log(add(1, 2));\n'],
    ['python', 'import os\n\ndef main():\n    print("hello")\n'],
    ['shell', '#!/bin/sh\nset -e\nmake all\n'],
    ['powershell', 'param($Name)\nWrite-Output "Hello $Name"\n'],
    ['html', '<html><head><title>x</title></head><body><p>hello</p></body></html>'],
  ] as const)('has nothing to say about plain %s', (kind, text) => {
    expect(analyse(Buffer.from(text), kind).findings).toEqual([]);
  });

  it('tells a name with two endings', () => {
    const { findings } = analyse(Buffer.from('x=1'), 'javascript', 'invoice.pdf.js');
    expect(findings.map(({ rule }) => rule)).toContain('script.double-extension');
  });
});

describe('hostile text', () => {
  const pieces = [
    '"a"+',
    "'a'+(",
    '[1,',
    '(',
    '`',
    '"',
    "'",
    '%a:~1,2%',
    "$'",
    'echo "a" | base64 -d |',
    '<script>',
    '<a onx="',
    '/*',
    '@"',
    '#@~^AAAAAA==',
    'powershell -c "',
    '-enc AAAAAAAAAAAAAAAAAAAA ',
    '\\x41',
    'A',
    'AbC0',
    '65,',
    'x=x+x;',
    'a="b";',
    '<![CDATA[',
    "'a'.split('').reverse().join(''),",
    'set a=%a%%a%\n',
    '&#65;',
    "-f 'a',",
    '{0}',
    '.',
    ' ',
    '\n',
  ];
  const kinds = ['javascript', 'powershell', 'vbscript', 'python', 'batch', 'shell', 'html', 'php', 'perl'] as const;
  it.each(kinds)('%s of twenty kilobytes', (kind) => {
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(20_000 / piece.length));
      const started = usedMs();
      analyse(Buffer.from(text), kind);
      expect([piece, Math.round(usedMs() - started) < 2000]).toEqual([piece, true]);
    }
  });

  it('is not troubled by mutated samples', async () => {
    const samples = scriptSamples.map(({ text, kind }) => ({ bytes: Buffer.from(text, 'latin1'), kind }));
    expect((await fuzzAnalyser(script, samples)).problems).toEqual([]);
  });
});
