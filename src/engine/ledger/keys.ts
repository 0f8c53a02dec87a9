import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HostError, UsageError } from '../../base/errors.ts';
import { parseCheckpoint, type SignedCheckpoint, splitNotes } from './checkpoint.ts';
import { writeDurably } from './durable-file.ts';
import { followHandovers, isChainProblem, type KeyPeriod, signersAt } from './handover.ts';
import { keyedHash } from './keyed-hash.ts';
import { ledgerLimits } from './limits.ts';
import {
  isKeyName,
  parseSignerKey,
  parseVerifierKey,
  type SignerKey,
  signerFromSeed,
  type VerifierKey,
  writeSignerKey,
} from './note.ts';
import { sizeOf } from './segments.ts';

/**
 *     keys/first          verifier key that the log began with
 *     keys/<id>.key       signing key, 0600; goes away when the key retires
 *     keys/handovers      notes that hand over from one key to the next
 *     keys/secrets.key    what secrets are hashed with, 0600
 */

function readSmall(path: string): Buffer | null {
  const size = sizeOf(path);
  if (size === null) return null;
  if (size > ledgerLimits.keysBytes) throw new HostError(`${path} is larger than a file of keys can be`);
  return readFileSync(path);
}

function readSecret(path: string): string | null {
  const bytes = readSmall(path);
  if (bytes !== null && (statSync(path).mode & 0o077) !== 0) {
    throw new HostError(`${path} can be read by others`, {
      hint: `chmod 600 ${path}, and rotate the keys if somebody had access`,
    });
  }
  return bytes?.toString('utf8').trim() ?? null;
}

export function readHandovers(keysFolder: string): readonly SignedCheckpoint[] {
  const bytes = readSmall(join(keysFolder, 'handovers')) ?? Buffer.alloc(0);
  const { notes, restOffset } = splitNotes(bytes, 0, true);
  const parsed = notes.map(({ text }) => parseCheckpoint(text));
  if (restOffset !== bytes.length || parsed.some((note) => note === null)) {
    throw new HostError('the hand-overs between the keys of the ledger are damaged');
  }
  return parsed.filter((note) => note !== null);
}

export function readFirstKey(keysFolder: string): VerifierKey | null {
  const text = readSmall(join(keysFolder, 'first'))?.toString('utf8').trim();
  if (text === undefined) return null;
  const key = parseVerifierKey(text);
  if (key === null) throw new HostError('the first public key of the ledger is damaged');
  return key;
}

export interface KeyRingOptions {
  readonly origin: string | undefined;
  /** Only while there is nothing in the log: a log with entries and without keys has lost them. */
  readonly mayCreate: boolean;
}

/** The keys of one ledger, for who writes. Everything here happens under the lock. */
export class KeyRing {
  readonly #folder: string;
  readonly #hashSecret: (secret: string | Uint8Array) => string;
  readonly first: VerifierKey;
  #periods: readonly KeyPeriod[] = [];
  #until: string | null = null;
  #handoversSize: number | null = -1;
  readonly #signers = new Map<string, SignerKey>();

  static open(folder: string, options: KeyRingOptions): KeyRing {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    if (readFirstKey(folder) === null || readSecret(join(folder, 'secrets.key')) === null) {
      if (!options.mayCreate) {
        throw new HostError('the ledger has entries, and its keys are gone', {
          hint: 'put them back from a copy, or move the folder of the ledger aside to begin a new one',
        });
      }
      createKeys(folder, options.origin);
    }
    return new KeyRing(folder, options.origin);
  }

  private constructor(folder: string, origin: string | undefined) {
    const first = readFirstKey(folder);
    if (first === null) throw new HostError('the first public key of the ledger is gone');
    if (origin !== undefined && origin !== first.name) {
      throw new UsageError(`this ledger is called ${first.name}, not ${origin}`, {
        hint: 'leave the name out, or choose another folder',
      });
    }
    this.#folder = folder;
    this.first = first;
    const secretKey = Buffer.from(readSecret(join(folder, 'secrets.key')) ?? '', 'hex');
    if (secretKey.length !== 32) throw new HostError('the key that secrets are hashed with is damaged');
    this.#hashSecret = keyedHash(secretKey);
    this.refresh();
  }

  get origin(): string {
    return this.first.name;
  }

  get periods(): readonly KeyPeriod[] {
    return this.#periods;
  }

  /** When the overlap of the last rotation ends, ISO time; null when there is none. */
  get until(): string | null {
    return this.#until;
  }

  /** Another process may have rotated. */
  refresh(): void {
    const size = sizeOf(join(this.#folder, 'handovers'));
    if (size === this.#handoversSize) return;
    const chain = followHandovers(this.first, readHandovers(this.#folder));
    if (isChainProblem(chain)) throw new HostError(`the keys of the ledger are damaged: ${chain.why}`);
    this.#periods = chain.periods;
    this.#until = chain.until;
    this.#handoversSize = size;
  }

  signersAt(size: number): readonly SignerKey[] {
    return signersAt(this.#periods, size).map((key) => this.#signer(key));
  }

  #signer(key: VerifierKey): SignerKey {
    const known = this.#signers.get(key.id);
    if (known !== undefined) return known;
    const signer = parseSignerKey(readSecret(join(this.#folder, `${key.id}.key`)) ?? '');
    if (signer?.verifier.text !== key.text) {
      throw new HostError(`signing key ${key.id} of the ledger is missing or damaged`, {
        hint: 'put it back from a copy',
      });
    }
    this.#signers.set(key.id, signer);
    return signer;
  }

  createNext(): SignerKey {
    return createSigner(this.#folder, this.origin);
  }

  /** A note that both keys have signed. */
  addNote(note: string): void {
    const path = join(this.#folder, 'handovers');
    writeDurably(path, Buffer.concat([readSmall(path) ?? Buffer.alloc(0), Buffer.from(note)]), 0o644);
    this.refresh();
  }

  forget(key: VerifierKey): void {
    rmSync(join(this.#folder, `${key.id}.key`), { force: true });
    this.#signers.delete(key.id);
  }

  hashSecret(secret: string | Uint8Array): string {
    return `hmac-sha256:${this.#hashSecret(secret)}`;
  }
}

function createSigner(folder: string, name: string): SignerKey {
  const seed = randomBytes(32);
  const signer = signerFromSeed(name, seed);
  writeDurably(join(folder, `${signer.verifier.id}.key`), `${writeSignerKey(name, seed)}\n`, 0o600);
  return signer;
}

function createKeys(folder: string, origin: string | undefined): void {
  const name = readFirstKey(folder)?.name ?? origin ?? `hotcell/ledger/${randomBytes(8).toString('hex')}`;
  if (!isKeyName(name)) throw new UsageError('the name of a ledger has no blanks and no plus sign');
  writeDurably(join(folder, 'secrets.key'), `${randomBytes(32).toString('hex')}\n`, 0o600);
  // The first key's name in this file is what makes the keys exist; so it comes last.
  if (readFirstKey(folder) === null)
    writeDurably(join(folder, 'first'), `${createSigner(folder, name).verifier.text}\n`, 0o644);
}
