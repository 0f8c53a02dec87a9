import type { Kind } from '../../contract.ts';
import type { KindId } from '../../kinds.ts';
import { decodeText, recogniseKind } from '../../recognise/index.ts';

/** Whether bytes that came out of somewhere make sense. */

export interface Judged {
  readonly kind: Kind;
  /** The text, where it is one. */
  readonly text: string | null;
}

/** Kinds that a few random bytes are taken for now and then. */
const weakKinds: readonly KindId[] = ['data', 'shellcode', 'empty', 'memory', 'tar', 'bzip2'];
const leastBytes = 8;
const leastTextCharacters = 12;
const leastTextShare = 0.9;
const ordinary = /[A-Za-z0-9\s.,:;/\\_'"()=<>{}[\]$%&|@#!?*+-]/g;

/** Null when they are most likely noise. */
export function judgeBytes(bytes: Uint8Array): Judged | null {
  if (bytes.length < leastBytes) return null;
  const kind = recogniseKind(bytes, '');
  const decoded = decodeText(bytes, 1024 * 1024);
  if (decoded !== null) {
    const head = decoded.text.slice(0, 4096);
    const isText =
      head.length >= leastTextCharacters && (head.match(ordinary)?.length ?? 0) >= head.length * leastTextShare;
    return isText ? { kind, text: decoded.text } : null;
  }
  return weakKinds.includes(kind.id) ? null : { kind, text: null };
}
