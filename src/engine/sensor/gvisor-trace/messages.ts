import { messageReader, type Parsed } from './protobuf.ts';

/**
 * What gVisor's remote sink sends, one packet each:
 *
 *   0      2      4             8
 *   | size | type | dropped so far | message ...        little-endian; `size` is that of this header
 */

export const smallestHeaderBytes = 8;

export interface Header {
  readonly sizeBytes: number;
  readonly type: number;
  readonly dropped: number;
}

/** Null when the packet cannot hold the header that it announces. */
export function readHeader(packet: Buffer): Header | null {
  if (packet.length < smallestHeaderBytes) return null;
  const sizeBytes = packet.readUInt16LE(0);
  if (sizeBytes < smallestHeaderBytes || sizeBytes > packet.length) return null;
  return { sizeBytes, type: packet.readUInt16LE(2), dropped: packet.readUInt32LE(4) };
}

export const messageTypes = {
  containerStart: 1,
  clone: 2,
  exitNotifyParent: 4,
  taskExit: 5,
  rawCall: 6,
  open: 7,
  connect: 10,
  exec: 11,
  changeFolder: 13,
  setId: 14,
  setThreeIds: 15,
  bind: 24,
} as const;

/** Only numbers: one string that is not UTF-8 in here, and gVisor would keep every message of the process to itself. */
const context = { timeNs: [1, 'big'], thread: [2, 'int'], process: [4, 'int'] } as const;
export type Context = Parsed<typeof context>;

const exit = { result: [1, 'int'], errno: [2, 'int'] } as const;
export type CallExit = Parsed<typeof exit>;

const ofCall = { context: [1, context], exit: [2, exit], number: [3, 'int'] } as const;
const ofEnd = { context: [1, context], status: [2, 'int'] } as const;

export const readHandshake = messageReader({ version: [1, 'int'] });
/** What we answer: version 1 as well. */
export const handshake = Uint8Array.of(0x08, 0x01);

export const readers = {
  [messageTypes.containerStart]: messageReader({ context: [1, context], cwd: [3, 'bytes'], argv: [4, 'list'] }),
  [messageTypes.clone]: messageReader({
    context: [1, context],
    thread: [3, 'int'],
    process: [4, 'int'],
    flags: [6, 'int'],
  }),
  [messageTypes.exitNotifyParent]: messageReader(ofEnd),
  [messageTypes.taskExit]: messageReader(ofEnd),
  [messageTypes.rawCall]: messageReader({
    context: [1, context],
    exit: [2, exit],
    number: [4, 'int'],
    first: [5, 'low'],
    second: [6, 'low'],
    third: [7, 'low'],
    fourth: [8, 'low'],
    fifth: [9, 'int'],
  }),
  [messageTypes.open]: messageReader({
    ...ofCall,
    folder: [4, 'int'],
    folderPath: [5, 'bytes'],
    path: [6, 'bytes'],
    flags: [7, 'int'],
  }),
  [messageTypes.connect]: messageReader({ ...ofCall, socket: [4, 'int'], address: [6, 'bytes'] }),
  [messageTypes.exec]: messageReader({
    ...ofCall,
    folder: [4, 'int'],
    folderPath: [5, 'bytes'],
    path: [6, 'bytes'],
    argv: [7, 'list'],
  }),
  [messageTypes.changeFolder]: messageReader({ ...ofCall, folderPath: [5, 'bytes'], path: [6, 'bytes'] }),
  [messageTypes.setId]: messageReader({ ...ofCall, id: [4, 'int'] }),
  [messageTypes.setThreeIds]: messageReader({ ...ofCall, real: [4, 'int'], effective: [5, 'int'], saved: [6, 'int'] }),
  [messageTypes.bind]: messageReader({ ...ofCall, address: [6, 'bytes'] }),
} as const;

export type MessageType = keyof typeof readers;
export type Message<T extends MessageType> = NonNullable<ReturnType<(typeof readers)[T]>>;
