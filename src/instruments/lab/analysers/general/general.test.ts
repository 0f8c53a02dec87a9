import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { join, noise, raw, utf16be, utf16le } from '../../../../../test/samples/lab/general/build.ts';
import { makeElf, makePe } from '../../../../../test/samples/lab/general/make-programs.ts';
import { makeZip } from '../../../../../test/samples/lab/general/make-zip.ts';
import type { Analyser, AnalyserResult } from '../../contract.ts';
import { recogniseKind } from '../../recognise/index.ts';
import { claims } from './claims.ts';
import { embedded } from './embedded.ts';
import { encodings } from './encodings.ts';
import { hidden } from './hidden.ts';
import { identity } from './identity.ts';
import { memory } from './memory.ts';
import { shellcode } from './shellcode.ts';
import { strings } from './strings.ts';

async function run(analyser: Analyser, bytes: Uint8Array, name = 'x'): Promise<AnalyserResult> {
  const kind = recogniseKind(bytes, name);
  return analyser.analyse({ bytes, name, kind, depth: 'deep', passwords: [], rulesFolders: [], tick: () => undefined });
}

const rulesOf = ({ findings }: AnalyserResult): readonly string[] => findings.map(({ rule }) => rule);

describe('identity', () => {
  it('hashes, and counts the bytes', async () => {
    const bytes = raw('abc');
    const { facts } = await run(identity, bytes);
    const expected = Object.fromEntries(
      ['md5', 'sha1', 'sha256', 'sha512'].map((name) => [name, createHash(name).update(bytes).digest('hex')]),
    );
    expect(facts).toMatchObject({
      ...expected,
      size: 3,
      crc32: '352441c2',
      entropy: 1.585,
      tlsh: null,
      ssdeep: '3:uG:uG',
    });
  });

  it('draws at most 256 blocks of entropy', async () => {
    const { facts, findings } = await run(identity, join(new Uint8Array(50_000), noise(50_000)));
    const blocks = facts.entropy_blocks as readonly number[];
    expect(blocks.length).toBeLessThanOrEqual(256);
    expect(blocks[0]).toBe(0);
    expect(blocks.at(-1)).toBeGreaterThan(6);
    expect(findings).toEqual([]);
    expect(rulesOf(await run(identity, noise(9000)))).toEqual(['general.entropy.high']);
    expect((await run(identity, new Uint8Array())).facts).toMatchObject({ size: 0, entropy: 0, entropy_blocks: [] });
  });
});

describe('claims', () => {
  const rows: readonly (readonly [string, Uint8Array, readonly string[]])[] = [
    ['invoice.pdf.exe', makePe(), ['general.name.double-ending']],
    ['cod\u202egpj.exe', makePe(), ['general.name.direction']],
    ['note.txt                      .exe', makePe(), ['general.name.double-ending', 'general.name.spaces']],
    ['note.txt', makePe(), ['general.kind.mismatch']],
    ['setup.exe', join(makePe(), makeZip([{ name: 'a' }])), ['general.kind.several']],
    ['setup.exe', makePe(), []],
    ['archive.tar.gz', raw('\x1f\x8b\x08\0\0\0\0\0'), []],
  ];
  it.each(rows)('%s', async (name, bytes, expected) => {
    expect(rulesOf(await run(claims, bytes, name))).toEqual(expected);
  });
});

describe('strings', () => {
  it('finds every encoding where it stands', async () => {
    const bytes = join(
      raw('\x01\x02plain text\0'),
      utf16le('little wide'),
      raw('\x01\x01\x01'),
      utf16be('big wide'),
      raw('\x01\x02'),
      Uint8Array.from(Buffer.from('größer und schöner')),
      raw('\0abcd\0'),
    );
    const { facts, texts } = await run(strings, bytes);
    expect(facts.first).toEqual([
      { offset: 2, encoding: 'ascii', text: 'plain text' },
      { offset: 13, encoding: 'utf-16le', text: 'little wide' },
      { offset: 38, encoding: 'utf-16be', text: 'big wide' },
      { offset: 56, encoding: 'utf-8', text: 'größer und schöner' },
    ]);
    expect(texts.map(({ label }) => label)).toEqual([
      'strings (ascii)',
      'strings (utf-16le)',
      'strings (utf-16be)',
      'strings (utf-8)',
    ]);
  });

  const kinds: readonly (readonly [string, string])[] = [
    ['url', 'see https://a.example/x'],
    ['command', 'cmd.exe /c dir'],
    ['registry', 'HKEY_CURRENT_USER\\Software\\x'],
    ['pdb', 'c:\\build\\x.pdb'],
    ['api', 'VirtualAllocEx'],
    ['path', 'C:\\Program Files\\x'],
    ['path', '/etc/passwd'],
    ['mail-address', 'me@a.example'],
    ['user-agent', 'Mozilla/5.0 (X11)'],
    ['address', '192.0.2.7:8080'],
    ['file-name', 'update.exe'],
  ];
  it.each(kinds)('calls a string %s', async (kind, text) => {
    const { facts } = await run(strings, raw(`\x01\x01${text}\x01`));
    expect(facts.interesting).toEqual([{ kind, offset: 2, encoding: 'ascii', text }]);
  });
});

describe('encodings', () => {
  const words = 'echo hello from the inside of it';
  const pe = makePe();
  const base32 = (text: string): string => {
    const bits = [...raw(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    return (bits.match(/.{5}/g) ?? [])
      .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)])
      .join('');
  };
  const rows: readonly (readonly [string, Uint8Array, string])[] = [
    ['base64', raw(`x = "${Buffer.from(words).toString('base64')}"`), words],
    ['base64', raw(`powershell -enc ${Buffer.from(words, 'utf16le').toString('base64')}`), words],
    ['base64', utf16le(`(${Buffer.from(words).toString('base64')})`), words],
    ['base32', raw(`"${base32(`${words} and so on ..`)}"`), `${words} and so on`],
    ['hex', raw(`"${Buffer.from(words).toString('hex')}"`), words],
    ['hex-list', raw(`{${[...raw(words)].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`), words],
    ['hex-list', raw(`"${[...raw(words)].map((byte) => `\\x${byte.toString(16)}`).join('')}"`), words],
    ['percent', raw(`"${[...raw(words)].map((byte) => `%${byte.toString(16)}`).join('')}"`), words],
    ['numbers', raw(`(${[...raw(words)].join(', ')})`), words],
    ['ascii85', raw('<~87cURD]i,"Ebo80~>'.replace('~>', `${'87cURD]i,"Ebo80'.slice(0, 10)}~>`)), 'Hello World!'],
  ];
  it.each(rows)('%s: %#', async (encoding, bytes, text) => {
    const { facts } = await run(encodings, bytes);
    const [first] = facts.decoded as readonly { encoding: string; text: string }[];
    expect(first?.encoding).toBe(encoding);
    expect(first?.text.startsWith(text)).toBe(true);
  });

  it('takes a program out, and says so', async () => {
    const { children, findings } = await run(encodings, raw(`var x = '${Buffer.from(pe).toString('base64')}';`));
    expect(children.map(({ bytes }) => Buffer.from(bytes).equals(pe))).toEqual([true]);
    expect(findings.map(({ rule }) => rule)).toEqual(['general.encoding.program']);
  });

  it('leaves words and noise alone', async () => {
    const long = 'thisIsALongIdentifierInSomeProgramThatIsNotEncodedAtAll ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKL\n';
    expect((await run(encodings, raw(long.repeat(20)))).facts.total).toBe(0);
    expect((await run(encodings, noise(100_000))).facts.total).toBe(0);
  });
});

describe('hidden', () => {
  const plain = raw('....................https://a.example/gate.php........');
  const rows: readonly (readonly [string, number, (byte: number, index: number) => number])[] = [
    ['xor', 0x5a, (byte) => byte ^ 0x5a],
    ['add', 0x13, (byte) => (byte + 0x13) & 255],
    ['rol', 3, (byte) => ((byte >> 3) | (byte << 5)) & 255],
    ['xor-increment', 0x40 + 20, (byte, index) => byte ^ ((0x40 + index) & 255)],
  ];
  it.each(rows)('%s', async (cipher, key, hide) => {
    const { facts, texts } = await run(hidden, plain.map(hide));
    expect(facts.found).toContainEqual({
      cipher,
      key,
      offset: 20,
      text: expect.stringMatching(/^https:\/\/a\.example\/gate\.php/),
    });
    expect(texts[0]?.text).toContain('https://a.example/gate.php');
  });

  it('takes a program out', async () => {
    const pe = makePe();
    const { children, findings } = await run(
      hidden,
      join(
        noise(333),
        pe.map((byte) => byte ^ 0x77),
        noise(50),
      ),
    );
    expect(children.map(({ bytes }) => Buffer.from(bytes).equals(pe))).toEqual([true]);
    expect(findings.map(({ rule }) => rule)).toEqual(['general.hidden.program']);
  });

  it('is not misled by what is in the open, by case or by noise', async () => {
    expect((await run(hidden, plain)).facts.total).toBe(0);
    expect((await run(hidden, raw('POWERSHELL powershell CREATEPROCESS'))).facts.total).toBe(0);
    expect((await run(hidden, noise(300_000))).facts.total).toBe(0);
  });
});

describe('embedded', () => {
  it('takes files out with their size', async () => {
    const [pe, zip] = [makePe(), makeZip([{ name: 'a.txt', body: 'hello' }])];
    const bytes = join(noise(100, 4), pe, noise(31, 5), zip, noise(7, 6), makeElf());
    const { facts, children, findings } = await run(embedded, bytes);
    expect(facts.files).toMatchObject([
      { kind: 'pe', offset: 100, size: pe.length },
      { kind: 'zip', offset: 131 + pe.length, size: zip.length },
      { kind: 'elf', offset: 138 + pe.length + zip.length },
    ]);
    expect(Buffer.from(children[0]?.bytes ?? []).equals(pe)).toBe(true);
    expect(findings.map(({ rule }) => rule)).toEqual(['general.embedded.program']);
  });

  it('does not take the file for its own child', async () => {
    expect((await run(embedded, makePe())).facts.total).toBe(0);
    expect((await run(embedded, raw('MZ MZ MZ PE MSCF \x1f\x8b\x08 PK\x03\x04 and so on'))).facts.total).toBe(0);
  });
});

describe('shellcode and memory', () => {
  it('names the signs of code', async () => {
    const { facts, findings } = await run(
      shellcode,
      join(raw('\xfc\xe8\x82\0\0\0\x60\x89\xe5\x31\xc0\x64\x8b\x50\x30'), noise(60)),
    );
    expect(facts).toMatchObject({ architectures: ['x86'] });
    expect(facts.signs).toContainEqual(expect.objectContaining({ id: 'peb', offset: 11 }));
    expect(findings.map(({ rule }) => rule)).toEqual(['general.code.without-container']);
    expect((await run(shellcode, noise(4000))).findings).toEqual([]);
  });

  it('guesses the system of a memory image', async () => {
    const image = new Uint8Array(8192);
    image.set(raw('EMiL\x01\0\0\0'));
    image.set(raw('Linux version 6.1.0 (builder@host.example)\n'), 5000);
    const { facts } = await run(memory, image);
    expect(facts).toMatchObject({ system: 'Linux', pages: 2 });
    expect(facts.banners).toEqual([
      { system: 'Linux', offset: 5000, text: 'Linux version 6.1.0 (builder@host.example)' },
    ]);
  });
});
