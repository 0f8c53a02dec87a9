import { asArray, asString, isObject, type JsonObject } from '../../base/json-shape.ts';
import { type UntrustedText, untrusted } from '../../base/untrusted.ts';
import { jsonText } from './bound-value.ts';

/** All text in the answer to a call, a prompt or a resource, one piece after the other. Bytes in base64 are decoded. */

type Piece = string | Buffer;

const textFields = ['text', 'uri', 'name', 'title', 'description'] as const;
const byteFields = ['blob', 'data'] as const;
const mostBlocks = 10_000;

function piecesOfBlock(block: unknown): readonly Piece[] {
  if (typeof block === 'string') return [block];
  if (!isObject(block)) return block === null || block === undefined ? [] : [jsonText(block)];
  return [
    ...textFields.flatMap((field) => asString(block[field]) ?? []),
    ...byteFields.flatMap((field) => {
      const encoded = asString(block[field]);
      return encoded === undefined ? [] : [Buffer.from(encoded, 'base64')];
    }),
    ...(isObject(block.resource) ? piecesOfBlock({ ...block.resource, resource: undefined }) : []),
    // Of a result within a message.
    ...asArray(block.content)
      .slice(0, mostBlocks)
      .flatMap((inner) => (isObject(inner) ? piecesOfLeaf(inner) : [])),
  ];
}

function piecesOfLeaf(block: JsonObject): readonly Piece[] {
  return piecesOfBlock({ ...block, content: undefined });
}

function piecesOfList(value: unknown): readonly Piece[] {
  return (Array.isArray(value) ? value : [value]).slice(0, mostBlocks).flatMap(piecesOfBlock);
}

function piecesOfMessage(message: unknown): readonly Piece[] {
  return isObject(message) ? piecesOfList(message.content) : piecesOfBlock(message);
}

function piecesOfResult(result: unknown): readonly Piece[] {
  if (!isObject(result)) return [typeof result === 'string' ? result : jsonText(result)];
  const pieces: Piece[] = [
    ...(asString(result.description) === undefined ? [] : [String(result.description)]),
    ...piecesOfList(result.content),
    ...asArray(result.messages).slice(0, mostBlocks).flatMap(piecesOfMessage),
    ...asArray(result.contents).slice(0, mostBlocks).flatMap(piecesOfBlock),
    // The name that the first versions of the protocol had for it.
    ...(result.toolResult === undefined ? [] : piecesOfToolResult(result.toolResult)),
    ...(result.structuredContent === undefined ? [] : [jsonText(result.structuredContent)]),
  ];
  return pieces.length > 0 ? pieces : [jsonText(result)];
}

function piecesOfToolResult(value: unknown): readonly Piece[] {
  return [typeof value === 'string' ? value : jsonText(value)];
}

function join(pieces: readonly Piece[], capBytes: number): UntrustedText {
  const line = Buffer.from('\n');
  const parts = pieces
    .map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece))
    .filter(({ length }) => length > 0)
    .flatMap((part, at) => (at === 0 ? [part] : [line, part]));
  return untrusted(Buffer.concat(parts), capBytes);
}

export function textOfResult(result: unknown, capBytes: number): UntrustedText {
  return join(piecesOfResult(result), capBytes);
}

export function textOfError(error: unknown, capBytes: number): UntrustedText {
  if (!isObject(error)) return join([typeof error === 'string' ? error : jsonText(error)], capBytes);
  const { message, data } = error;
  const dataText = data === undefined ? '' : typeof data === 'string' ? data : jsonText(data);
  const pieces = [asString(message) ?? '', dataText].filter((piece) => piece !== '');
  return join(pieces.length > 0 ? pieces : [jsonText(error)], capBytes);
}
