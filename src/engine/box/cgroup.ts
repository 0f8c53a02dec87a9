import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import type { Outcome } from '../../base/outcome.ts';
import { notAvailable, yes } from '../../base/outcome.ts';
import { cgroupMode, parseCgroupMounts } from '../host/cgroup-layout.ts';
import type { CgroupValues } from '../policy/index.ts';
import type { UndoLog } from './undo.ts';

/**
 * Control groups of one box, version 1 and 2 alike:
 *
 *     …/hotcell/BOX/        the limits, and the processes of the first spawn
 *     …/hotcell/BOX/N/      the processes of the Nth spawn, so that they can be ended together
 */

const neededControllers = ['memory', 'pids', 'cpu'] as const;

export interface CgroupHost {
  readonly version: 1 | 2;
  /** Version 1: one per controller that we use. Version 2: one, under the empty name. */
  readonly mounts: readonly { readonly controller: string; readonly path: string }[];
  /** Other hierarchies: OCI runtimes make groups in every one of them, and those are to be undone as well. */
  readonly others: readonly string[];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function findCgroups(): Outcome<CgroupHost> {
  const mounts = parseCgroupMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  const mode = cgroupMode(mounts);
  if (mode === 'none') return notAvailable('no control groups are mounted');
  if (mode === 'v2') {
    const path = mounts[0]?.path ?? '/sys/fs/cgroup';
    const offered = readFileSync(join(path, 'cgroup.controllers'), 'utf8').trim().split(' ');
    const missing = neededControllers.filter((controller) => !offered.includes(controller));
    if (missing.length > 0) return notAvailable(`the cgroup controllers ${missing.join(', ')} are not offered`);
    if (!isWritable(join(path, 'cgroup.subtree_control')))
      return notAvailable('control groups may not be written', 'run as root');
    return yes({ version: 2, mounts: [{ controller: '', path }], others: [] });
  }
  const usable = neededControllers.flatMap((controller) => {
    const found = mounts.find(
      (mount) => mount.version === 1 && mount.controllers.includes(controller) && isWritable(mount.path),
    );
    return found === undefined ? [] : [{ controller, path: found.path }];
  });
  const missing = neededControllers.filter((name) => !usable.some(({ controller }) => controller === name));
  if (missing.length > 0)
    return notAvailable(`the cgroup controllers ${missing.join(', ')} may not be written`, 'run as root');
  const others = mounts.map(({ path }) => path).filter((path) => !usable.some((mount) => mount.path === path));
  return yes({ version: 1, mounts: usable, others });
}

function readNumber(path: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(path, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export class BoxCgroup {
  readonly version: 1 | 2;
  /** Folder of the box per controller; version 2 has one under the empty name. */
  readonly #folders: ReadonlyMap<string, string>;
  readonly boxId: string;

  private constructor(version: 1 | 2, folders: ReadonlyMap<string, string>, boxId: string) {
    this.version = version;
    this.#folders = folders;
    this.boxId = boxId;
  }

  static create(host: CgroupHost, boxId: string, settings: CgroupValues, undo: UndoLog): BoxCgroup {
    const folders = new Map<string, string>();
    for (const path of host.others) undo.add(['cgroup', join(path, 'hotcell', boxId)]);
    for (const { controller, path } of host.mounts) {
      const folder = join(path, 'hotcell', boxId);
      undo.add(['cgroup', folder]);
      if (host.version === 2) offerControllers(path);
      makeFolder(folder);
      folders.set(controller, folder);
    }
    const group = new BoxCgroup(host.version, folders, boxId);
    const values = host.version === 1 ? settings.v1 : settings.v2.map((value) => ({ ...value, controller: '' }));
    for (const { controller, file, value, isOptional } of values) group.#write(controller, file, value, isOptional);
    return group;
  }

  #folder(controller: string): string {
    return this.#folders.get(this.version === 1 ? controller : '') ?? '';
  }

  #write(controller: string, file: string, value: string, isOptional: boolean): void {
    const path = join(this.#folder(controller), file);
    if (isOptional && !existsSync(path)) return;
    writeFileSync(path, value);
  }

  /** The groups of one spawn, one folder per controller. */
  openSpawn(number: number): readonly string[] {
    if (number === 0) return [...this.#folders.values()];
    return [...this.#folders.values()].map((folder) => {
      const path = join(folder, String(number));
      makeFolder(path);
      return path;
    });
  }

  /** The path an OCI runtime is told to put its container at. It makes that group itself, so it is never the box's own. */
  ociPath(number: number): string {
    return `/hotcell/${this.boxId}/${ociName(number)}`;
  }

  pids(number: number): readonly number[] {
    const folder = this.#folder('pids');
    const places =
      number === 0 ? [folder, join(folder, ociName(0))] : [join(folder, String(number)), join(folder, ociName(number))];
    return places.flatMap(readPids);
  }

  peakMemoryBytes(): number | null {
    const file = this.version === 1 ? 'memory.max_usage_in_bytes' : 'memory.peak';
    const value = readNumber(join(this.#folder('memory'), file), /^(\d+)/);
    return value > 0 ? value : null;
  }

  outOfMemoryKills(): number {
    const file = this.version === 1 ? 'memory.oom_control' : 'memory.events';
    return this.#groups('memory').reduce((sum, folder) => sum + readNumber(join(folder, file), /^oom_kill (\d+)/m), 0);
  }

  refusedForks(): number {
    return this.#groups('pids').reduce(
      (sum, folder) => sum + readNumber(join(folder, 'pids.events'), /^max (\d+)/m),
      0,
    );
  }

  /** Version 1 counts an event in the group of the process, version 2 in its parents too. */
  #groups(controller: string): readonly string[] {
    const folder = this.#folder(controller);
    if (this.version === 2) return [folder];
    const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [folder, ...inner.map(({ name }) => join(folder, name))];
  }
}

function ociName(number: number): string {
  return `oci-${number}`;
}

function readPids(folder: string): readonly number[] {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'latin1').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Another box may be removing the shared parent at this very moment. */
function makeFolder(path: string): void {
  for (let attempt = 0; ; attempt += 1) {
    try {
      mkdirSync(path, { recursive: true });
      return;
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}

function offerControllers(mount: string): void {
  for (const folder of [mount, join(mount, 'hotcell')]) {
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(join(folder, 'cgroup.subtree_control'), neededControllers.map((name) => `+${name}`).join(' '));
    } catch (error) {
      throw new Error(`cannot offer cgroup controllers in ${folder}: ${describeError(error)}`);
    }
  }
}
