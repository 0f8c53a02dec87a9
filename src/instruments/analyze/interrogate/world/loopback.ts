import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { toolEnvironment } from '../../../../base/process.ts';
import type { Cell } from '../../../../engine/cell/index.ts';
import { namespaceNames } from '../../../../engine/net/index.ts';

/**
 * The service on the box's loopback that only the box itself can reach. A process of ours stands in the network of the box
 * and not in the box: the target can ask it, and can neither end, read nor replace it; and nothing it does is an event
 * that could be taken for the target's.
 */

const interpreter = '/usr/bin/perl';
const program = fileURLToPath(new URL('../../../../../native/loopback.pl', import.meta.url));
const readyTimeoutMs = 5000;
const mostAsked = 1000;

export interface LoopbackService extends AsyncDisposable {
  readonly port: number;
  readonly canary: string;
  /** The beginnings of all requests, as they came. */
  readonly asked: readonly Buffer[];
  close(): Promise<void>;
}

/** Null where the box has no network of its own, or the port is taken in there. */
export async function startLoopback(cell: Cell, port: number, canary: string): Promise<LoopbackService | null> {
  const network = `/run/netns/${namespaceNames(cell.runId).box}`;
  const isThere = await access(network).then(
    () => true,
    () => false,
  );
  if (!isThere || !cell.box.record.isOnNetwork) return null;
  const child = spawn('nsenter', [`--net=${network}`, '--', interpreter, program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: toolEnvironment,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const asked: Buffer[] = [];
  const ready = Promise.withResolvers<boolean>();
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === 'ready') ready.resolve(true);
      else if (asked.length < mostAsked) asked.push(Buffer.from(line, 'hex'));
    }
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${port} ${canary}\n`);
  const timer = setTimeout(() => ready.resolve(false), readyTimeoutMs);
  void ended.then(() => ready.resolve(false));
  const isReady = await ready.promise;
  clearTimeout(timer);
  const close = async (): Promise<void> => {
    child.stdin.end();
    child.kill('SIGKILL');
    await ended;
  };
  if (isReady) return { port, canary, asked, close, [Symbol.asyncDispose]: close };
  await close();
  return null;
}
