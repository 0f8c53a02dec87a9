import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { toolEnvironment } from '../../../base/process.ts';
import { tracingFolder } from './probe.ts';
import { textRoomBytes } from './text-field.ts';

/** Starts bpftrace. */

export type Program = ChildProcessByStdio<Writable, Readable, Readable>;

/** Tracepoints of the whole machine, for bpftrace alone: what it mounts goes with it. */
const mountAndBecome = `mount -t tracefs tracefs ${tracingFolder} && exec "$@"`;
/** Without it a killed Hotcell would leave it looking for ever. */
const endWithUs = ['setpriv', '--pdeathsig', 'KILL', '--'] as const;
/** Of all processors together. */
const mostBufferPages = 65_536;
const bufferPages = 4096;
const mapKeys = 16_384;

/** A power of two, as the kernel wants it. */
export function pagesPerProcessor(processors: number): number {
  const fair = mostBufferPages / Math.max(1, processors);
  return Math.max(64, Math.min(bufferPages, 2 ** Math.floor(Math.log2(fair))));
}

export function startProgram(tool: string, script: string): Program {
  const words = [...endWithUs, tool, '-q', '-B', 'line', '-'];
  const isMounted = existsSync(join(tracingFolder, 'events'));
  const [file, args] = isMounted
    ? [endWithUs[0], words.slice(1)]
    : ['unshare', ['--mount', '--propagation', 'private', 'sh', '-c', mountAndBecome, 'sh', ...words]];
  const program = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // What the keyboard sends to Hotcell does not end the witness before the box.
    detached: true,
    env: {
      ...toolEnvironment,
      BPFTRACE_STRLEN: String(textRoomBytes),
      BPFTRACE_PERF_RB_PAGES: String(pagesPerProcessor(availableParallelism())),
      BPFTRACE_MAP_KEYS_MAX: String(mapKeys),
    },
  });
  // One that cannot be written to has ended, and its end is told elsewhere.
  program.stdin.on('error', () => undefined);
  program.stdin.end(script);
  return program;
}
