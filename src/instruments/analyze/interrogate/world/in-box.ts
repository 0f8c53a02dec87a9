import type { Cell } from '../../../../engine/cell/index.ts';

/** A program of the world's own, run in the box: it is not the target, and what it says is kept only for its end. */

const keptCharacters = 4000;

export interface Ended {
  readonly code: number | null;
  /** The end of what it wrote. */
  readonly stdout: string;
  readonly stderr: string;
}

export async function runInBox(cell: Cell, argv: readonly string[], timeoutMs: number): Promise<Ended> {
  const child = await cell.box.spawn(argv, { signal: AbortSignal.timeout(timeoutMs) });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      said[name] = (said[name] + chunk.toString('latin1')).slice(-keptCharacters);
    });
  }
  child.stdin.on('error', () => undefined);
  child.stdin.end();
  const { code } = await child.exited;
  return { code, ...said };
}

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
