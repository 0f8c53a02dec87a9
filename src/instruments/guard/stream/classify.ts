import { isUtf8 } from 'node:buffer';
import type { MessageKind } from '../contract.ts';
import type { FaultId } from './faults.ts';
import { type JsonFault, type ScannedJson, type Span, scanJson } from './json-scan.ts';
import { longestId, longestMethod, type RelayLimits } from './limits.ts';

/** What the bytes of one line are: a message, several in a batch, or nothing of the kind. */

export interface Envelope {
  readonly is: 'message';
  readonly kind: MessageKind;
  readonly method: string | null;
  readonly id: string | number | null;
  /** As it was written; null where there is none. */
  readonly rawId: string | null;
  readonly hasLongNumber: boolean;
  /** What speaks against it although it can be read. */
  readonly doubts: readonly FaultId[];
  readonly bytes: Buffer;
}

export interface NoMessage {
  readonly is: 'fault';
  readonly fault: FaultId;
  /** The id that it would have had, as far as that can be told. */
  readonly rawId: string | null;
  readonly bytes: Buffer;
}

export type Classified =
  | Envelope
  | NoMessage
  | { readonly is: 'batch'; readonly members: readonly (Envelope | NoMessage)[] };

const envelopeKeys = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** Some readers take `Method` for `method`, and fold letters of other alphabets too. */
function isVariant(key: string): boolean {
  return !envelopeKeys.has(key) && key.length <= 32 && envelopeKeys.has(key.normalize('NFKC').toLowerCase());
}

function isSameId(text: string): string | number | null {
  const id: unknown = JSON.parse(text);
  if (typeof id === 'string') return id;
  return typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER && text.length <= 32 ? id : null;
}

function textAt(bytes: Buffer, { start, end }: Span, most: number): string | null {
  // Every character may be written as an escape of six.
  return end - start > most * 6 + 2 ? null : bytes.toString('utf8', start, end);
}

function readId(bytes: Buffer, span: Span): { readonly id: string | number; readonly rawId: string } | null {
  const rawId = textAt(bytes, span, longestId);
  if (rawId === null || !/^["\d-]/.test(rawId)) return null;
  const id = isSameId(rawId);
  return id === null || (typeof id === 'string' && id.length > longestId) ? null : { id, rawId };
}

/** Of a message that could not be read: at its front, or, as many write it, at its very end. */
const idAtEnd =
  /,\s*"id"\s*:\s*("(?:[^"\\]|\\["\\/bfnrt]){0,256}"|-?\d{1,16})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

export function salvageId(head: Buffer, tail: Buffer, limits: RelayLimits): string | null {
  const scanned = scanJson(head, { depth: limits.depth, elements: 1 });
  const span = scanned.members.get('id');
  const atFront = span === undefined || span.end >= head.length ? null : readId(head, span);
  if (atFront !== null) return atFront.rawId;
  return idAtEnd.exec(tail.toString('latin1'))?.[1] ?? null;
}

function envelopeOf(bytes: Buffer, scanned: ScannedJson): Envelope | NoMessage {
  const { members } = scanned;
  const idSpan = members.get('id');
  const found = idSpan === undefined ? null : readId(bytes, idSpan);
  const fault = (name: FaultId): NoMessage => ({ is: 'fault', fault: name, rawId: found?.rawId ?? null, bytes });
  const version = members.get('jsonrpc');
  if (scanned.outermost !== 'object' || version === undefined) return fault('stream/not-json-rpc');
  if (textAt(bytes, version, 10) !== '"2.0"') return fault('stream/not-json-rpc');
  const [method, result, error] = [members.get('method'), members.get('result'), members.get('error')];
  const answers = Number(result !== undefined) + Number(error !== undefined);
  if (answers > 1 || (answers === 1 && method !== undefined)) return fault('stream/ambiguous');
  if (answers === 0 && method === undefined) return fault('stream/not-json-rpc');
  const doubts: FaultId[] = [];
  if (scanned.hasDuplicateKey) doubts.push('stream/duplicate-keys');
  if (scanned.hasLoneReturn) doubts.push('stream/line-break');
  if ([...members.keys()].some(isVariant)) doubts.push('stream/key-variant');
  const common = { is: 'message', bytes, doubts, hasLongNumber: scanned.hasLongNumber } as const;
  if (method === undefined) {
    // Who could not read a request cannot know its id; that answer is told, and tied to nothing.
    const isNameless = idSpan === undefined || textAt(bytes, idSpan, 10) === 'null';
    if (found === null && !(isNameless && error !== undefined)) return fault('stream/bad-id');
    return { ...common, kind: 'response', method: null, id: found?.id ?? null, rawId: found?.rawId ?? null };
  }
  const name = textAt(bytes, method, longestMethod);
  if (name === null || !name.startsWith('"')) return fault('stream/not-json-rpc');
  if (idSpan !== undefined && found === null) return fault('stream/bad-id');
  return {
    ...common,
    kind: found === null ? 'notification' : 'request',
    method: JSON.parse(name) as string,
    id: found?.id ?? null,
    rawId: found?.rawId ?? null,
  };
}

const faultsOfJson: Readonly<Record<JsonFault['fault'], FaultId>> = {
  syntax: 'stream/not-json',
  'too-deep': 'stream/too-deep',
  'too-many-elements': 'stream/bad-batch',
};

export function classify(content: Buffer, limits: RelayLimits): Classified {
  const scanLimits = { depth: limits.depth, elements: limits.batchMembers };
  const salvage = (fault: FaultId): NoMessage => ({
    is: 'fault',
    fault,
    rawId: content[0] === 0x7b ? salvageId(content.subarray(0, 4096), content.subarray(-2048), limits) : null,
    bytes: content,
  });
  if (!isUtf8(content)) return salvage('stream/not-utf8');
  const scanned = scanJson(content, scanLimits);
  if (scanned.is === 'fault') return salvage(faultsOfJson[scanned.fault]);
  if (scanned.outermost !== 'array') return envelopeOf(content, scanned);
  if (scanned.elements.length === 0) return { is: 'fault', fault: 'stream/bad-batch', rawId: null, bytes: content };
  const members = scanned.elements.map(({ start, end }): Envelope | NoMessage => {
    const bytes = content.subarray(start, end);
    const one = scanJson(bytes, scanLimits);
    if (one.is === 'json') return envelopeOf(bytes, one);
    return { is: 'fault', fault: faultsOfJson[one.fault], rawId: null, bytes };
  });
  return { is: 'batch', members };
}
