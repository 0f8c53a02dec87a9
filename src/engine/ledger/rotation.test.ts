import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCheckpoint, writeCheckpointText } from './checkpoint.ts';
import {
  Ledger,
  type LedgerEntry,
  publicKeyText,
  readEntries,
  readPublicKeys,
  rotateKeys,
  type VerifyReport,
  verifyLedger,
} from './index.ts';
import { parseSignerKey, type SignerKey, signNote } from './note.ts';

const base = mkdtempSync(join(tmpdir(), 'ledger-keys-'));
const folder = join(base, 'log');
const entry: LedgerEntry = { instrument: 'guard', action: 'tool.call', verdict: 'allowed', session: 'one' };
const signers: SignerKey[] = [];
let keys: readonly string[] = [];

afterAll(() => rmSync(base, { recursive: true, force: true }));

async function append(into: string, count: number): Promise<void> {
  await using ledger = await Ledger.open({ folder: into });
  for (let at = 0; at < count; at += 1) await ledger.append(entry);
}

/** A key as it is on the disk, before it retires. */
function keepSigners(): void {
  for (const name of readdirSync(join(folder, 'keys')).filter((file) => /^[0-9a-f]{8}\.key$/.test(file))) {
    const signer = parseSignerKey(readFileSync(join(folder, 'keys', name), 'utf8').trim());
    if (signer !== null && !signers.some(({ verifier }) => verifier.id === signer.verifier.id)) signers.push(signer);
  }
}

beforeAll(async () => {
  await append(folder, 2);
  keepSigners();
  // With an overlap that runs while more is written, and is over when the next rotation comes.
  await rotateKeys(folder, { overlapMs: 3_600_000 });
  await append(folder, 2);
  keepSigners();
  await rotateKeys(folder, { overlapMs: 0 });
  await append(folder, 2);
  keepSigners();
  keys = readPublicKeys(await publicKeyText(folder));
});

function verify(publicKeys: readonly string[], log = folder): Promise<VerifyReport> {
  return verifyLedger(log, { publicKeys });
}

function copyOf(name: string): string {
  const copy = join(base, name);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** As if somebody had appended a checkpoint for a size that the log really had. */
function withNote(copy: string, at: number, signedBy: readonly SignerKey[]): void {
  const path = join(copy, 'checkpoints');
  const notes = readFileSync(path, 'utf8').split(/(?<==\n)(?=hotcell)/);
  const { origin, size, root } = parseCheckpoint(notes.at(at) ?? '') ?? { origin: '', size: 0, root: '' };
  const forged = signNote(writeCheckpointText({ origin, size, root, extra: [] }), signedBy);
  writeFileSync(path, notes.with(at, forged).join(''));
}

describe('rotated keys', () => {
  it('are three, of which two have retired and left no signing key', () => {
    expect(keys).toHaveLength(3);
    expect(signers).toHaveLength(3);
    const left = readdirSync(join(folder, 'keys')).filter((name) => /^[0-9a-f]{8}\.key$/.test(name));
    expect(left).toEqual([`${signers[2]?.verifier.id}.key`]);
  });

  it.each([0, 1, 2])('are followed by somebody who knows key %i only', async (index) => {
    const report = await verify([keys[index] ?? '']);
    expect(report).toMatchObject({ isIntact: true, uncovered: 0, keys });
  });

  it('are written down in the log', async () => {
    const actions = (await Array.fromAsync(readEntries(folder))).map((read) => read.entry.action);
    expect(actions.filter((action) => action.startsWith('keys.'))).toEqual([
      'keys.rotate',
      'keys.retire',
      'keys.rotate',
      'keys.retire',
    ]);
  });

  it('sign both during the overlap, and a checkpoint with one of them is refused', async () => {
    const notes = readFileSync(join(folder, 'checkpoints'), 'utf8').split(/(?<==\n)(?=hotcell)/);
    const at = notes.findIndex((note) => note.split('— ').length === 3 && parseCheckpoint(note)?.size === 5);
    expect(at).toBeGreaterThan(0);
    for (const one of [0, 1]) {
      const copy = copyOf(`one-${one}`);
      withNote(copy, at, signers.slice(one, one + 1));
      expect((await verify(keys, copy)).problems[0]).toMatchObject({
        kind: 'key',
        why: expect.stringContaining('is missing'),
      });
    }
  });

  it('are refused outside of their time, and so are others', async () => {
    const [first, second, third] = signers;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no keys');
    const other = join(base, 'other');
    await append(other, 1);
    const foreign = parseSignerKey(
      readFileSync(
        join(other, 'keys', readdirSync(join(other, 'keys')).find((name) => /^[0-9a-f]{8}\.key$/.test(name)) ?? ''),
        'utf8',
      ).trim(),
    );
    const cases: readonly [string, number, readonly (SignerKey | null)[], RegExp][] = [
      ['old-alone', -1, [first], /validity of key|is missing/],
      ['old-too', -1, [first, third], /validity of key/],
      ['second-too', -1, [second, third], /validity of key/],
      ['newer', 0, [third], /signs only from|is missing/],
      ['newer-too', 0, [first, third], /signs only from/],
      ['foreign', -1, [foreign], /not a key of this log/],
      ['foreign-too', -1, [third, foreign], /not a key of this log/],
    ];
    for (const [name, at, signedBy, why] of cases) {
      const copy = copyOf(name);
      withNote(
        copy,
        at,
        signedBy.filter((signer) => signer !== null),
      );
      const { isIntact, problems } = await verify(keys, copy);
      expect(isIntact, name).toBe(false);
      expect(problems[0], name).toMatchObject({ kind: 'key', file: 'checkpoints', why: expect.stringMatching(why) });
    }
    expect((await verify([foreign?.verifier.text ?? ''])).isIntact).toBe(false);
  });

  it('are not believed without their hand-overs, or with ones that were changed', async () => {
    const copy = copyOf('handovers');
    const path = join(copy, 'keys', 'handovers');
    const written = readFileSync(path);
    for (let at = 0; at < written.length; at += 17) {
      const changed = Buffer.from(written);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(path, changed);
      expect((await verify(keys.slice(0, 1), copy)).isIntact, `byte ${at}`).toBe(false);
    }
    rmSync(path);
    expect((await verify(keys.slice(0, 1), copy)).problems[0]).toMatchObject({ kind: 'key' });
    expect((await verify(keys, copy)).isIntact).toBe(false);
  });

  it('take effect for writers that are open already', async () => {
    const log = join(base, 'open');
    await using one = await Ledger.open({ folder: log });
    await using two = await Ledger.open({ folder: log });
    await two.append(entry);
    const { to } = await one.rotateKeys({ overlapMs: 1 });
    await two.append(entry);
    expect((await two.checkpoint()).note.split('— ').length).toBeLessThanOrEqual(3);
    await two.append(entry);
    const { note } = await two.checkpoint();
    expect(parseCheckpoint(note)?.note.signatures.map(({ id }) => id)).toContain(to.split('+')[1]);
    expect(await verify([await publicKeyText(log)], log)).toMatchObject({ isIntact: true });
    expect(existsSync(join(log, 'keys', 'handovers'))).toBe(true);
  });
});
