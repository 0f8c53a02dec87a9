import type { Cell } from '../../../../engine/cell/index.ts';

/** A program of the world's own that stays: it runs in the box beside the target until it is ended. */

const keptCharacters = 4000;

export interface Service {
  close(): Promise<void>;
}

export type Started = { readonly service: Service } | { readonly problem: string };

/** Started once it has written what `ready` looks for, on either of its outputs. */
export async function startService(
  cell: Cell,
  argv: readonly string[],
  { ready, timeoutMs }: { readonly ready: RegExp; readonly timeoutMs: number },
): Promise<Started> {
  const child = await cell.box.spawn(argv);
  child.stdin.on('error', () => undefined);
  child.stdin.end();
  const { promise, resolve } = Promise.withResolvers<string | null>();
  let said = '';
  const hear = (chunk: Buffer): void => {
    said = (said + chunk.toString('latin1')).slice(-keptCharacters);
    if (ready.test(said)) resolve(null);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await child.exited;
  };
  void child.exited.then(
    ({ code, signal }) => resolve(`it ended with ${code ?? signal}`),
    (cause: unknown) => resolve(String(cause)),
  );
  const timer = setTimeout(() => resolve(`it was not ready within ${timeoutMs} ms`), timeoutMs);
  const problem = await promise;
  clearTimeout(timer);
  if (problem === null) return { service: { close } };
  await close().catch(() => undefined);
  return { problem: `${problem}: ${lastLine(said)}` };
}

function lastLine(text: string): string {
  const [line = 'it said nothing'] = text.trim().split('\n').slice(-1);
  return line.replace(/[^\x20-\x7e]/g, '?').slice(0, 300);
}
