import { cut, isCompound, latin1, u32, untilZero } from '../office/bytes.ts';

/** The form in which OLE objects lie in RTF: a header with the class, then the native data. */

export interface Ole1Object {
  readonly format: 'linked' | 'embedded' | 'unknown';
  readonly className: string;
  readonly topic: string;
  readonly item: string;
  readonly data: Uint8Array;
  /** The header is not as it should be, but the data was found. */
  readonly isOdd: boolean;
}

const maximalText = 4096;

function textAt(bytes: Uint8Array, at: number): { text: string; end: number } | null {
  const length = u32(bytes, at);
  if (at + 4 > bytes.length || length > maximalText) return null;
  return { text: untilZero(latin1(cut(bytes, at + 4, length))), end: at + 4 + length };
}

const compoundMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

export function readOle1(bytes: Uint8Array): Ole1Object | null {
  const format = u32(bytes, 4);
  const className = textAt(bytes, 8);
  const topic = className === null ? null : textAt(bytes, className.end);
  const item = topic === null ? null : textAt(bytes, topic.end);
  if (className !== null && topic !== null && item !== null && (format === 1 || format === 2)) {
    const data = cut(bytes, item.end + 4, u32(bytes, item.end));
    return {
      format: format === 1 ? 'linked' : 'embedded',
      className: className.text,
      topic: topic.text,
      item: item.text,
      data,
      isOdd: u32(bytes, 0) !== 0x0501,
    };
  }
  // Readers are lenient about the header; what it wraps shows itself.
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(compoundMark);
  if (at === -1) return null;
  const data = bytes.subarray(at);
  return isCompound(data)
    ? { format: 'unknown', className: className?.text ?? '', topic: '', item: '', data, isOdd: true }
    : null;
}
