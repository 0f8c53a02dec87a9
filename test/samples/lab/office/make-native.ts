/** A file as the packager of Windows stores it. */
export function makeNative(name: string, path: string, content: string | Buffer): Buffer {
  const text = (value: string): Buffer => Buffer.from(`${value}\0`, 'latin1');
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value, 0);
    return bytes;
  };
  const data = Buffer.from(content);
  const temporary = text(`C:\\Temp\\${name}`);
  const body = Buffer.concat([
    Buffer.from([2, 0]),
    text(name),
    text(path),
    Buffer.from([0, 0, 3, 0]),
    number(temporary.length),
    temporary,
    number(data.length),
    data,
    Buffer.alloc(2),
  ]);
  return Buffer.concat([number(body.length), body]);
}
