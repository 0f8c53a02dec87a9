import { createHash, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { HostError, UsageError } from '../../base/errors.ts';
import { checkNumber, checkPath, show } from './checks.ts';
import type { FileReceipt, GetOptions, PutOptions } from './contract.ts';
import { fileBaseMs, fileBytesPerMs } from './limits.ts';
import type { Ask } from './remote-ask.ts';
import type { Source } from './run-guarded.ts';
import { movePart, readFile, removeFile, writePart } from './scripts.ts';
import { checkSource, describeRefusal, type FileSource } from './transfer.ts';

function limitFor(sizeBytes: number): number {
  return fileBaseMs + Math.min(Math.ceil(sizeBytes / fileBytesPerMs), 10 * 60 * fileBaseMs);
}

async function* readChunks(source: FileSource, take: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) {
    take(source);
    yield source;
    return;
  }
  const file = await open(source.file, 'r');
  for await (const chunk of file.createReadStream()) {
    take(chunk as Buffer);
    yield chunk as Buffer;
  }
}

/** Where neither sha256sum nor openssl is, the bytes themselves come back. */
async function hashThere(ask: Ask, path: string, sizeBytes: number, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  const sink = (chunk: Buffer): void => {
    hash.update(chunk);
  };
  const args = [path, String(sizeBytes)];
  await ask(`read back ${show(path)}`, readFile, args, { signal, timeoutMs: limitFor(sizeBytes), sink });
  return hash.digest('hex');
}

export async function putThere(
  ask: Ask,
  path: string,
  source: FileSource,
  options: PutOptions = {},
): Promise<FileReceipt> {
  const { mode = 0o600, isOverwriteAllowed = false, signal } = options;
  checkPath(path);
  checkNumber('the mode', mode, 0, 0o7777);
  const sizeBytes = await checkSource(source);
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  const part = `${folder === '/' ? '' : folder}/.hotcell-${randomBytes(8).toString('hex')}.part`;
  const overwrite = isOverwriteAllowed ? '1' : '0';
  const what = `write ${show(path)}`;

  const hash = createHash('sha256');
  let left = sizeBytes;
  const stream: Source = {
    sizeBytes,
    chunks: readChunks(source, (chunk) => {
      hash.update(chunk.subarray(0, left));
      left -= Math.min(left, chunk.length);
    }),
  };
  try {
    const timeoutMs = limitFor(sizeBytes);
    const sending = sizeBytes === 0 ? {} : { source: stream };
    const written = await ask(what, writePart, [path, folder, part, overwrite], { signal, timeoutMs, ...sending });
    const [size = '', sum = ''] = written.stdout.toString('latin1').trim().split(' ');
    if (!/^\d+$/.test(size)) throw describeRefusal(what, size);
    const sha256 = hash.digest('hex');
    const there = sum === 'none' ? await hashThere(ask, part, sizeBytes, signal) : sum;
    if (Number(size) !== sizeBytes || there !== sha256) {
      throw new HostError(
        `cannot ${what}: ${size} bytes with the sha256 ${show(there)} arrived, not ${sizeBytes} with ${sha256}`,
      );
    }
    const moved = await ask(what, movePart, [path, part, overwrite, mode.toString(8)], { signal });
    const answer = moved.stdout.toString('latin1').trim();
    if (answer !== 'moved') throw describeRefusal(what, answer);
    return { path, sizeBytes, sha256 };
  } catch (error) {
    // Also when it was cancelled: the half of a file is nothing that anyone asked for.
    if (!(error instanceof UsageError)) await ask(what, removeFile, [part], {}).catch(() => undefined);
    throw error;
  }
}

export async function getThere(
  ask: Ask,
  path: string,
  options: GetOptions,
  take: (chunk: Buffer) => void | Promise<void>,
): Promise<FileReceipt> {
  const { maxBytes, signal } = options;
  checkPath(path);
  checkNumber('maxBytes', maxBytes, 0, Number.MAX_SAFE_INTEGER);
  const what = `read ${show(path)}`;
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const sink = async (chunk: Buffer): Promise<void> => {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new HostError(`cannot ${what}: more bytes arrived than were announced`);
    hash.update(chunk);
    await take(chunk);
  };
  const timeoutMs = limitFor(maxBytes);
  const { stderr } = await ask(what, readFile, [path, String(maxBytes)], { signal, timeoutMs, sink });
  const [word = '', detail = ''] = stderr.toString('latin1').trim().split(' ');
  if (word === 'large') {
    throw new UsageError(`${show(path)} has ${show(detail)} bytes; at most ${maxBytes} are taken`);
  }
  if (!/^\d+$/.test(word)) throw describeRefusal(what, word);
  const sha256 = hash.digest('hex');
  const there = detail === 'none' ? await hashThere(ask, path, sizeBytes, signal) : detail;
  if (Number(word) !== sizeBytes || there !== sha256) {
    throw new HostError(
      `cannot ${what}: ${sizeBytes} bytes with the sha256 ${sha256} arrived, there it is ${word} with ${show(there)}`,
      { hint: 'something writes to it; try again' },
    );
  }
  return { path, sizeBytes, sha256 };
}
