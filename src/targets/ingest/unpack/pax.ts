/** Extended headers of tar: records `LENGTH KEY=VALUE\n`, where LENGTH counts the whole record. */

export interface PaxRecords {
  readonly values: ReadonlyMap<string, Uint8Array>;
  /** Why reading ended before the end, when it did. */
  readonly problem?: string;
}

const mostRecords = 1024;

export function readPax(bytes: Uint8Array): PaxRecords {
  const values = new Map<string, Uint8Array>();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  for (let count = 0; at < buffer.length && buffer[at] !== 0; count += 1) {
    if (count === mostRecords) return { values, problem: `more than ${mostRecords} records` };
    const space = buffer.indexOf(0x20, at);
    const digits = space === -1 ? '' : buffer.toString('latin1', at, Math.min(space, at + 10));
    const length = /^[1-9]\d{0,8}$/.test(digits) && space - at === digits.length ? Number(digits) : 0;
    const end = at + length;
    const equals = buffer.indexOf(0x3d, space);
    if (length === 0 || end > buffer.length || buffer[end - 1] !== 0x0a || equals === -1 || equals >= end) {
      return { values, problem: 'a record is not as long as it says' };
    }
    values.set(buffer.toString('latin1', space + 1, equals), Uint8Array.from(buffer.subarray(equals + 1, end - 1)));
    at = end;
  }
  return { values };
}
