import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A client that writes lines and waits for lines: what it costs itself is the same for whoever it measures. */

export interface Pipe {
  request(method: string, params: object): Promise<void>;
  notify(method: string): void;
  close(): Promise<void>;
}

export function openPipe(command: string, args: readonly string[], environment: Record<string, string> = {}): Pipe {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(command, [...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...environment },
  });
  const waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  let rest = '';
  let lastId = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { id, error } = JSON.parse(line) as { id?: number; error?: { message: string } };
      const found = waiting.get(id ?? 0);
      waiting.delete(id ?? 0);
      if (error === undefined) found?.resolve();
      else found?.reject(new Error(error.message));
    }
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void exited.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the server has ended'));
  });
  return {
    request: (method, params) => {
      lastId += 1;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.set(lastId, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
      return promise;
    },
    notify: (method) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`),
    close: () => {
      child.stdin.end();
      return exited;
    },
  };
}

export async function introduce(pipe: Pipe): Promise<void> {
  const clientInfo = { name: 'bench', version: '1' };
  await pipe.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  pipe.notify('notifications/initialized');
}
