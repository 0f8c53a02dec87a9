import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer, isIPv4, isIPv6, type Socket } from 'node:net';
import { parseArgs } from 'node:util';

/**
 * A program that answers for everybody who is out of scope: any stream, any datagram, any question for a name.
 * One line of JSON for each thing that it catches.
 */

const { values } = parseArgs({
  options: {
    /** Repeated; default: every address. */
    host: { type: 'string', multiple: true, default: ['::'] },
    stream: { type: 'string' },
    datagram: { type: 'string' },
    names: { type: 'string' },
    /** Name of an abstract socket. */
    abstract: { type: 'string' },
    /** JSON: addresses by name, read anew for each question. */
    'names-file': { type: 'string' },
    /** What is answered for every other name. */
    address: { type: 'string', multiple: true, default: [] },
  },
});

const say = (line: Readonly<Record<string, unknown>>): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const longest = 400;
const body = 'hotcell-planted-out-of-scope\n';
const page = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;

/** The name of the first question and its type, or null. */
function readQuestion(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } | null {
  const labels: string[] = [];
  let at = 12;
  for (let count = 0; count < 128; count += 1) {
    const length = message[at];
    if (length === undefined || length > 63) return null;
    if (length === 0) break;
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at + 5 > message.length) return null;
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function addressesOf(name: string): readonly string[] {
  const file = values['names-file'];
  const known = file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly string[]>);
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? values.address;
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const words = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const zeros = Array.from({ length: 8 - words(head).length - words(tail).length }, () => '0');
  const all = [...words(head), ...zeros, ...words(tail)];
  return Buffer.from(all.map((word) => word.padStart(4, '0')).join(''), 'hex');
}

function answerName(message: Buffer, protocol: string): Buffer | null {
  const question = readQuestion(message);
  if (question === null) return null;
  const { name, type, end } = question;
  say({ type: 'asked', protocol, name, kind: type });
  const fits = type === 1 ? isIPv4 : type === 28 ? isIPv6 : () => false;
  const records = addressesOf(name)
    .filter(fits)
    .map((address) => {
      const value = bytesOf(address);
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, value.length]);
      return Buffer.concat([head, value]);
    });
  const head = Buffer.from(message.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, message.subarray(12, end), ...records]);
}

function serveStream(socket: Socket, answer: (chunk: Buffer) => Buffer | string | null): void {
  socket.setTimeout(10_000, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.once('data', (chunk) => {
    say({ type: 'caught', protocol: 'tcp', from: socket.remoteAddress, bytes: chunk.toString('latin1', 0, longest) });
    const reply = answer(chunk);
    if (reply === null) socket.destroy();
    else socket.end(reply);
  });
}

function answerStreamName(chunk: Buffer): Buffer | null {
  const reply = answerName(chunk.subarray(2), 'tcp');
  if (reply === null) return null;
  return Buffer.concat([Buffer.from([reply.length >> 8, reply.length & 0xff]), reply]);
}

const waits: Promise<unknown>[] = [];

function listenStream(port: number, host: string, serve: (socket: Socket) => void): void {
  const server = createServer(serve);
  waits.push(new Promise((resolve) => void server.listen(port, host, () => resolve(null))));
}

function listenDatagram(port: number, host: string, answer: (message: Buffer) => Buffer | null): void {
  const socket = createSocket(isIPv4(host) ? 'udp4' : 'udp6');
  socket.on('message', (message, from) => {
    const reply = answer(message);
    if (reply !== null) socket.send(reply, from.port, from.address);
  });
  socket.on('error', () => undefined);
  waits.push(new Promise((resolve) => void socket.bind(port, host, () => resolve(null))));
}

function serveCaught(socket: Socket): void {
  say({ type: 'connected', from: socket.remoteAddress ?? 'a local socket' });
  serveStream(socket, () => page);
}

if (values.abstract !== undefined) {
  const server = createServer(serveCaught);
  const path = `\0${values.abstract}`;
  waits.push(new Promise((resolve) => void server.listen({ path }, () => resolve(null))));
}
for (const host of values.host) {
  if (values.stream !== undefined) listenStream(Number(values.stream), host, serveCaught);
  if (values.names !== undefined) {
    listenStream(Number(values.names), host, (socket) => serveStream(socket, answerStreamName));
    listenDatagram(Number(values.names), host, (message) => answerName(message, 'udp'));
  }
  if (values.datagram !== undefined) {
    listenDatagram(Number(values.datagram), host, (message) => {
      say({ type: 'caught', protocol: 'udp', bytes: message.toString('latin1', 0, longest) });
      return message.subarray(0, longest);
    });
  }
}
await Promise.all(waits);
process.stdin.resume().once('end', () => process.exit(0));
say({ type: 'ready' });
