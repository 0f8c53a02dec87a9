import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { hostArchitecture } from '../../base/ffi.ts';
import { toolEnvironment } from '../../base/process.ts';
import { interpreter, nativeFile } from './native-files.ts';
import type { UndoLog } from './undo.ts';

/** Starts a program through native/launch.pl, whose head comment lists what it can do on the way. */
export interface LaunchOptions {
  readonly cgroups?: readonly string[];
  readonly network?: string | undefined;
  readonly uid?: number;
  readonly gid?: number;
  readonly isNanny?: boolean;
  /** The program is the interpreter itself with one script: no second start of it is needed. */
  readonly isInline?: boolean;
  /** Open files handed on as 3, 4, …; the two below name their position. */
  readonly files?: readonly number[];
  readonly landlockFd?: number;
  readonly seccompFd?: number;
  /** The first process of a box leaves a reaper behind. */
  readonly undo?: UndoLog;
}

export function startProcess(argv: readonly string[], options: LaunchOptions): ChildProcess {
  const { undo, files = [] } = options;
  const needsReaper = undo !== undefined && !undo.isWatched;
  const reaperFd = 3 + files.length;
  const words = [
    `arch=${hostArchitecture()}`,
    ...(options.cgroups ?? []).map((folder) => `cgroup=${folder}`),
    ...(options.network === undefined ? [] : [`network=${options.network}`]),
    ...(options.uid === undefined ? [] : [`uid=${options.uid}`]),
    ...(options.gid === undefined ? [] : [`gid=${options.gid}`]),
    ...(options.isNanny ? ['nanny=1'] : []),
    ...(options.isInline ? ['inline=1'] : []),
    ...(options.landlockFd === undefined ? [] : [`landlock=${options.landlockFd}`]),
    ...(options.seccompFd === undefined ? [] : [`seccomp=${options.seccompFd}`]),
    ...(needsReaper ? [`reaper=${reaperFd}:${undo.boxFolder}`] : []),
  ];
  const child = spawn(interpreter, [nativeFile('launch'), ...words, '--', ...argv], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...files, ...(needsReaper ? ['pipe' as const] : [])],
    env: { ...toolEnvironment },
  });
  if (needsReaper) undo.watch(child.stdio[reaperFd as 3] as Duplex);
  return child;
}
