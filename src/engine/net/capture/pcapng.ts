/**
 * Writes pcapng (draft-ietf-opsawg-pcapng), the format that tshark and Wireshark read. Every block is
 *
 *     type(4) length(4) body (padded to 4) length(4)
 */

const littleEndianMagic = 0x1a2b_3c4d;
const blockType = { section: 0x0a0d_0d0a, interface: 1, packet: 6, secrets: 10 } as const;
/** "TLSK": a TLS key log. */
const tlsKeyLog = 0x544c_534b;
const option = { end: 0, comment: 1, interfaceName: 2, timeResolution: 9 } as const;

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => {
    bytes.writeUInt32LE(value >>> 0, at * 4);
  });
  return bytes;
}

function block(type: number, ...body: readonly Uint8Array[]): Buffer {
  const content = padded(Buffer.concat(body));
  const length = content.length + 12;
  return Buffer.concat([numbers(type, length), content, numbers(length)]);
}

function writeOption(code: number, value: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(code, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, padded(value)]);
}

const endOfOptions = writeOption(option.end, Buffer.alloc(0));

export function sectionBlock(comment: string): Buffer {
  const version = Buffer.from([1, 0, 0, 0]);
  const unknownLength = Buffer.alloc(8, 0xff);
  const options = [writeOption(option.comment, Buffer.from(comment)), endOfOptions];
  return block(blockType.section, numbers(littleEndianMagic), version, unknownLength, ...options);
}

/** Times are in nanoseconds: 10 to the power of -9. */
export function interfaceBlock(linkType: number, name: string, snapBytes: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(linkType, 0);
  const options = [
    writeOption(option.interfaceName, Buffer.from(name)),
    writeOption(option.timeResolution, Buffer.from([9])),
    endOfOptions,
  ];
  return block(blockType.interface, head, numbers(snapBytes), ...options);
}

export function packetBlock(wallNs: bigint, bytes: Uint8Array, originalBytes: number): Buffer {
  const time = numbers(Number(wallNs >> 32n), Number(wallNs & 0xffff_ffffn));
  return block(blockType.packet, numbers(0), time, numbers(bytes.length, originalBytes), padded(bytes));
}

/** With it, whoever opens the file reads TLS in the clear. It must stand before the packets it is for. */
export function secretsBlock(keyLog: string): Buffer {
  const bytes = Buffer.from(keyLog, 'latin1');
  return block(blockType.secrets, numbers(tlsKeyLog, bytes.length), padded(bytes));
}
