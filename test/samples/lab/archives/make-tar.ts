/** Tar files (ustar), with links and devices. */

export interface TarEntry {
  readonly name: string;
  readonly bytes?: Uint8Array;
  /** `0` file, `1` hard link, `2` symbolic link, `3` character device, `5` folder, `6` pipe. */
  readonly type?: '0' | '1' | '2' | '3' | '4' | '5' | '6';
  readonly linkName?: string;
}

const block = 512;

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`;
}

export function makeTar(entries: readonly TarEntry[]): Uint8Array {
  const parts: Buffer[] = [];
  for (const { name, bytes = new Uint8Array(), type = '0', linkName = '' } of entries) {
    const header = Buffer.alloc(block);
    header.write(name, 0, 100);
    header.write(octal(0o644, 8), 100);
    header.write(octal(0, 8), 108);
    header.write(octal(0, 8), 116);
    header.write(octal(bytes.length, 12), 124);
    header.write(octal(1_700_000_000, 12), 136);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(linkName, 157, 100);
    header.write('ustar\x0000', 257, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    parts.push(header, Buffer.from(bytes), Buffer.alloc((block - (bytes.length % block)) % block));
  }
  return Uint8Array.from(Buffer.concat([...parts, Buffer.alloc(2 * block)]));
}
