import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCheckpoint, parseKeptCheckpoint, splitNotes, writeCheckpointText } from './checkpoint.ts';
import {
  checkNote,
  parseNote,
  parseSignerKey,
  parseVerifierKey,
  signerFromSeed,
  signNote,
  type VerifierKey,
  writeSignerKey,
} from './note.ts';
import { emptyRoot } from './tree.ts';

/** Vectors of Go's golang.org/x/mod/sumdb/note. */
const publicText = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const privateText = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const signature =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const known = `${text}\n${signature}`;

function keyOf(written: string): VerifierKey {
  const key = parseVerifierKey(written);
  if (key === null) throw new Error('no key');
  return key;
}

describe('keys', () => {
  it('are read as Go writes them, and written back', () => {
    const signer = parseSignerKey(privateText);
    expect(signer?.verifier.text).toBe(publicText);
    expect(parseVerifierKey(publicText)?.id).toBe('c74f20a3');
    const seed = Buffer.from(privateText.split('+').slice(4).join('+'), 'base64').subarray(1);
    expect(writeSignerKey('PeterNeumann', seed)).toBe(privateText);
  });

  it('are refused when any part of them is another one', () => {
    for (let from = 0; from <= publicText.length; from += 1) {
      for (let to = from; to <= publicText.length; to += 1) {
        if (from > 0 || to < publicText.length) expect(parseVerifierKey(publicText.slice(from, to))).toBeNull();
      }
    }
    for (let at = 0; at < publicText.length; at += 1) {
      const next = String.fromCharCode(publicText.charCodeAt(at) + 1);
      expect(parseVerifierKey(publicText.slice(0, at) + next + publicText.slice(at + 1))).toBeNull();
    }
    // Wrong length and unknown algorithm, each with a hash that fits.
    expect(parseVerifierKey('PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==')).toBeNull();
    expect(parseVerifierKey('PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')).toBeNull();
  });
});

describe('notes', () => {
  it('are signed as Go signs them, byte for byte', () => {
    const signer = parseSignerKey(privateText);
    expect(signer === null ? null : signNote(text, [signer])).toBe(known);
  });

  it('of the vector and of another writer verify', () => {
    const other = keyOf('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    const written =
      'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
    for (const [note, key] of [
      [known, keyOf(publicText)],
      [written, other],
    ] as const) {
      const parsed = parseNote(note);
      expect(parsed === null ? null : checkNote(parsed, [key]).good).toEqual([key]);
    }
  });

  it('are believed with no byte changed', () => {
    const key = keyOf(publicText);
    const bytes = Buffer.from(known);
    for (let at = 0; at < bytes.length; at += 1) {
      for (const bit of [1, 0x20, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ bit;
        const note = parseNote(changed.toString('utf8'));
        expect(note === null ? [] : checkNote(note, [key]).good, `byte ${at}`).toEqual([]);
      }
    }
  });

  it.each([
    ['no signature', `${text}\n`],
    ['no empty line', `${text}${signature}`],
    ['no end', known.slice(0, -1)],
    ['a control character', known.replace('think', 'th\tink')],
    ['too many signatures', `${text}\n${signature.repeat(17)}`],
    ['a signature of nobody', `${text}\n— ${signature.slice(15)}`],
    ['base64 that could be otherwise', known.replace('JnAM=', 'JnAN=')],
    ['two blanks', known.replace('PeterNeumann x08', 'PeterNeumann  x08')],
  ])('with %s are none', (_, note) => {
    expect(parseNote(note)).toBeNull();
  });

  it('from anybody are read without an exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (any) => void parseNote(any)));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (any) => void parseNote(`${any}\n\n— ${any}\n`)),
    );
  });
});

describe('checkpoints', () => {
  const signer = signerFromSeed('example/log', Buffer.alloc(32, 7));
  const note = (size: number): string =>
    signNote(writeCheckpointText({ origin: 'example/log', size, root: emptyRoot, extra: [] }), [signer]);

  it('have origin, size and root on a line each', () => {
    expect(note(5).startsWith('example/log\n5\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— example/log ')).toBe(
      true,
    );
    expect(parseCheckpoint(note(5))).toMatchObject({ origin: 'example/log', size: 5, root: emptyRoot, extra: [] });
  });

  it.each([
    ['as it is', (kept: string) => kept],
    ['with other ends of lines', (kept: string) => kept.replaceAll('\n', '\r\n')],
    ['without the last end, with blanks', (kept: string) => ` ${kept.trimEnd()}`],
    ['on one line, as syslog has it', (kept: string) => kept.replaceAll('\n', '\\n')],
  ])('are found in what somebody kept %s', (_, keep) => {
    expect(parseKeptCheckpoint(keep(note(9)))?.written).toBe(note(9));
  });

  it('are told apart in a file, up to the one that is not finished', () => {
    const whole = Buffer.from(note(1) + note(2));
    const file = Buffer.concat([whole, Buffer.from(note(3))]);
    for (let cut = whole.length; cut < file.length; cut += 1) {
      const { notes, restOffset } = splitNotes(file.subarray(0, cut), 0, true);
      expect(notes.map(({ text: written }) => parseCheckpoint(written)?.size)).toEqual([1, 2]);
      expect(restOffset).toBe(whole.length);
    }
    expect(splitNotes(file, 0, true).notes).toHaveLength(3);
  });
});
