import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fingerprint,
  fitsHost,
  fitsWildcard,
  hostName,
  judgeHost,
  knownTypes,
  parseKnownHosts,
  readKeyType,
} from './known-hosts.ts';

function makeKey(type: string, fill: number): Buffer {
  const name = Buffer.from(type);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(name.length);
  return Buffer.concat([head, name, Buffer.alloc(36, fill)]);
}

const ed = makeKey('ssh-ed25519', 1);
const otherEd = makeKey('ssh-ed25519', 2);
const rsa = makeKey('ssh-rsa', 3);
const line = (hosts: string, key: Buffer, marker = ''): string =>
  `${marker}${hosts} ${readKeyType(key)} ${key.toString('base64')} a comment\n`;

function hashed(name: string): string {
  const salt = Buffer.alloc(20, 7);
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
}

describe('known hosts', () => {
  it.each([
    ['a plain name', line('lab', ed), 'known'],
    ['among several', line('a,lab,b', ed), 'known'],
    ['capitals', line('LAB', ed), 'known'],
    ['a pattern', line('l?*', ed), 'known'],
    ['a hashed name', line(hashed('lab'), ed), 'known'],
    ['another hashed name', line(hashed('lob'), ed), 'unknown'],
    ['several keys', line('lab', rsa) + line('lab', otherEd) + line('lab', ed), 'known'],
    ['an excluded name', line('*,!lab', ed), 'unknown'],
    ['another key', line('lab', otherEd), 'changed'],
    ['a key of another type', line('lab', rsa), 'changed'],
    ['another host', line('lob', ed), 'unknown'],
    ['another port', line('[lab]:2222', ed), 'unknown'],
    ['a revoked key', line('lab', ed) + line('*', ed, '@revoked '), 'revoked'],
    ['another revoked key', line('lab', ed) + line('*', otherEd, '@revoked '), 'known'],
    ['an authority', line('*', rsa, '@cert-authority '), 'certificates-only'],
    ['an authority and a key', line('*', rsa, '@cert-authority ') + line('lab', ed), 'known'],
    ['an unknown marker', line('lab', ed, '@other '), 'unknown'],
    ['a comment', `# ${line('lab', ed)}`, 'unknown'],
    ['a type that is not the key', line('lab', ed).replace('ssh-ed25519', 'ssh-rsa'), 'unknown'],
    ['half a line', 'lab ssh-ed25519', 'unknown'],
    ['no line end, tabs and a carriage return', `\tlab\tssh-ed25519\t${ed.toString('base64')}\r`, 'known'],
    ['nothing', '', 'unknown'],
  ])('judges %s', (_, text, wanted) => {
    expect(judgeHost(parseKnownHosts(text), 'lab', ed).is).toBe(wanted);
  });

  it('names a host with its port, and lists the types it is known by', () => {
    expect(hostName('Lab', 22)).toBe('lab');
    expect(hostName('::1', 2222)).toBe('[::1]:2222');
    const entries = parseKnownHosts(line('lab', ed) + line('lab', otherEd) + line('lab', rsa) + line('x', ed));
    expect(knownTypes(entries, 'lab')).toEqual(['ssh-ed25519', 'ssh-rsa']);
    expect(fingerprint(ed)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  it.each([
    ['*', '', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abbd', false],
    ['?', '', false],
    ['*a*a*a*b', 'a'.repeat(3000), false],
    ['[lab]:*', '[lab]:22', true],
  ])('fits %s', (pattern, name, wanted) => {
    expect(fitsWildcard(pattern, name)).toBe(wanted);
  });

  const runs = { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) };

  it('never takes damaged lines for a key that was not in them', () => {
    const text = line('lab', ed) + line(hashed('lab'), rsa) + line('x', otherEd, '@revoked ');
    const damage = fc.array(fc.tuple(fc.nat(text.length - 1), fc.string({ maxLength: 4 })), { maxLength: 6 });
    fc.assert(
      fc.property(damage, fc.nat(text.length), (changes, length) => {
        let changed = text;
        for (const [at, put] of changes) changed = changed.slice(0, at) + put + changed.slice(at + put.length);
        const entries = parseKnownHosts(changed.slice(0, length));
        expect(judgeHost(entries, 'lab', makeKey('ssh-ed25519', 9)).is).not.toBe('known');
        for (const { key, type } of entries) expect(readKeyType(key)).toBe(type);
      }),
      runs,
    );
  });

  it('takes any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 20 }), (text, name) => {
        judgeHost(parseKnownHosts(text), name, ed);
        fitsHost(text, name);
        readKeyType(Buffer.from(text));
      }),
      runs,
    );
  });
});
