import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { mebibyte, secondMs } from '../../../base/limits.ts';
import type { Tier } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { ExitStatus } from '../../../engine/box/contract.ts';
import { createBox } from '../../../engine/box/index.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import type { ToolContext } from '../contract.ts';

/** A command in a box of its own, without a network whatever the tier says, and its output. */

const mostKeptBytes = 8 * mebibyte;

export interface Kept {
  readonly totalBytes: number;
  /** As much as was kept, at most so many bytes, with everything spelled out that cannot be seen. */
  visible(mostBytes: number): string;
}

async function keep(stream: Readable, droppedBytes: () => number): Promise<Kept> {
  const chunks: Buffer[] = [];
  let kept = 0;
  let total = 0;
  stream.on('data', (chunk: Buffer) => {
    total += chunk.length;
    const fitting = chunk.subarray(0, Math.max(0, mostKeptBytes - kept));
    kept += fitting.length;
    if (fitting.length > 0) chunks.push(fitting);
  });
  // A command that is ended in the middle of a line is no error here.
  await finished(stream, { writable: false }).catch(() => {});
  const bytes = Buffer.concat(chunks);
  const visible = (mostBytes: number): string => {
    const text = untrusted(bytes, Math.min(mostBytes, bytes.length));
    return forTerminal({ ...text, droppedBytes: total - text.bytes.length + droppedBytes() }, { keepLines: true });
  };
  return { totalBytes: total, visible };
}

export interface BoxWish {
  readonly argv: readonly string[];
  readonly tier: Tier;
  readonly time_limit_seconds: number;
  readonly input: string;
}

export interface BoxEnd {
  readonly status: ExitStatus;
  readonly backend: string;
  readonly stdout: Kept;
  readonly stderr: Kept;
}

export async function boxCommand(wish: BoxWish, { settings, signal }: ToolContext): Promise<BoxEnd> {
  const { backend, runtimeFolder, dockerSocket } = settings.values;
  const tier = tierPolicy(wish.tier);
  const wallMs = Math.round(wish.time_limit_seconds * secondMs);
  const policy = { ...tier, network: { mode: 'none' as const, rules: [] }, limits: { ...tier.limits, wallMs } };
  await using box = await createBox(policy, { backend, runtimeFolder, dockerSocket });
  signal.throwIfAborted();
  const child = await box.spawn(wish.argv, { signal });
  const end = (): void => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  // EPIPE: the command does not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(wish.input);
  try {
    let status: ExitStatus | undefined;
    const outputs = Promise.all([
      keep(child.stdout, () => status?.droppedOutputBytes ?? 0),
      keep(child.stderr, () => 0),
    ]);
    status = await child.exited;
    const [stdout, stderr] = await outputs;
    return { status, backend: box.record.backend, stdout, stderr };
  } finally {
    signal.removeEventListener('abort', end);
  }
}
