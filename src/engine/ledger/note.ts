import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { ledgerLimits } from './limits.ts';

/** Signed notes and their keys as c2sp.org/signed-note has them, with Ed25519 only. */

const ed25519 = 1;
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const dash = '— ';

export interface VerifierKey {
  readonly name: string;
  /** Eight hexadecimal digits. */
  readonly id: string;
  readonly key: KeyObject;
  /** `name+id+base64`. */
  readonly text: string;
}

export interface SignerKey {
  readonly verifier: VerifierKey;
  readonly key: KeyObject;
}

export interface NoteSignature {
  readonly name: string;
  readonly id: string;
  readonly signature: Buffer;
}

export interface Note {
  /** Its end of line included. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Without blanks and plus signs, since both separate. */
export function isKeyName(name: string): boolean {
  return name !== '' && name.length <= 255 && !/[\s+\p{C}\p{Z}]/u.test(name);
}

function keyId(name: string, encoded: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), encoded])).slice(0, 8);
}

/** Base64 that says the same in one way only. */
function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

export function parseVerifierKey(text: string): VerifierKey | null {
  const [name = '', id = '', ...rest] = text.split('+');
  const encoded = decodeBase64(rest.join('+'));
  if (!isKeyName(name) || encoded === null || encoded.length !== 33 || encoded[0] !== ed25519) return null;
  if (keyId(name, encoded) !== id) return null;
  const der = Buffer.concat([publicPrefix, encoded.subarray(1)]);
  return { name, id, text, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

/** From the 32 bytes that an Ed25519 key is made of. */
export function signerFromSeed(name: string, seed: Uint8Array): SignerKey {
  const der = Buffer.concat([privatePrefix, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const encoded = Buffer.concat([Buffer.of(ed25519), spki.subarray(publicPrefix.length)]);
  const id = keyId(name, encoded);
  const verifier = { name, id, text: `${name}+${id}+${encoded.toString('base64')}`, key: createPublicKey(key) };
  return { verifier, key };
}

/** `PRIVATE+KEY+name+id+base64`, as Go's note package writes it. */
export function parseSignerKey(text: string): SignerKey | null {
  const [first, second, name = '', id = '', ...rest] = text.split('+');
  const encoded = decodeBase64(rest.join('+'));
  if (first !== 'PRIVATE' || second !== 'KEY' || !isKeyName(name) || encoded?.length !== 33) return null;
  if (encoded[0] !== ed25519) return null;
  const signer = signerFromSeed(name, encoded.subarray(1));
  return signer.verifier.id === id ? signer : null;
}

export function writeSignerKey(name: string, seed: Uint8Array): string {
  const encoded = Buffer.concat([Buffer.of(ed25519), seed]);
  return `PRIVATE+KEY+${name}+${signerFromSeed(name, seed).verifier.id}+${encoded.toString('base64')}`;
}

export function signNote(text: string, signers: readonly SignerKey[]): string {
  const lines = signers.map(({ key, verifier }) => {
    const signature = Buffer.concat([Buffer.from(verifier.id, 'hex'), sign(null, Buffer.from(text), key)]);
    return `${dash}${verifier.name} ${signature.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

function parseSignature(line: string): NoteSignature | null {
  if (!line.startsWith(dash)) return null;
  const [name = '', encoded = '', ...more] = line.slice(dash.length).split(' ');
  const bytes = decodeBase64(encoded);
  if (more.length > 0 || !isKeyName(name) || bytes === null || bytes.length < 5) return null;
  return { name, id: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
}

/** Null when it is no well-formed note. Nothing in it is true before a signature is verified. */
export function parseNote(note: string): Note | null {
  if (note.length > ledgerLimits.noteBytes || /[\0-\x09\x0b-\x1f\ufffd]/.test(note) || !note.isWellFormed())
    return null;
  const split = note.lastIndexOf('\n\n');
  if (split === -1 || !note.endsWith('\n')) return null;
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > ledgerLimits.noteSignatures) return null;
  const signatures = lines.map(parseSignature);
  if (signatures.some((signature) => signature === null)) return null;
  return { text: note.slice(0, split + 1), signatures: signatures.filter((signature) => signature !== null) };
}

export interface NoteCheck {
  /** Known keys whose signature is good. */
  readonly good: readonly VerifierKey[];
  /** Signatures by nobody who is known. */
  readonly unknown: readonly NoteSignature[];
  /** Known keys whose signature is wrong: the note is not to be believed. */
  readonly wrong: readonly VerifierKey[];
}

export function checkNote(note: Note, known: readonly VerifierKey[]): NoteCheck {
  const good = new Set<VerifierKey>();
  const wrong = new Set<VerifierKey>();
  const unknown: NoteSignature[] = [];
  const text = Buffer.from(note.text);
  for (const signature of note.signatures) {
    const key = known.find(({ name, id }) => name === signature.name && id === signature.id);
    if (key === undefined) unknown.push(signature);
    else if (!good.has(key) && verify(null, text, key.key, signature.signature)) good.add(key);
    else wrong.add(key);
  }
  return { good: [...good], unknown, wrong: [...wrong] };
}
