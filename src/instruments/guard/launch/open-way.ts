import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileRule } from '../../../base/policy-schema.ts';
import { type BackendId, backends } from '../../../engine/box/index.ts';
import type { PrepareOptions } from './contract.ts';
import { sealOf } from './manifest.ts';
import { serverFiles } from './record.ts';
import { explainWrite } from './write-tree.ts';

/**
 * Whether a box gets to a file at all. Root's boxes run as users of their own; gVisor, runc and Docker put files in place as
 * root, the others have to be let through by every folder on the way, and root's home folder lets nobody through.
 */

export const walking: readonly BackendId[] = ['bwrap', 'landlock'];

/** The topmost folder that lets nobody but its owner through; null where the way is open. */
export function closedFolder(path: string): string | null {
  const closed: string[] = [];
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true && (stat.mode & 0o001) === 0) closed.push(folder);
  }
  return closed.at(-1) ?? null;
}

/** `auto` takes the strongest that works here. */
async function isWalking({ backend, ...options }: PrepareOptions['box']): Promise<boolean> {
  if (backend !== 'auto') return walking.includes(backend);
  for (const each of backends.toSorted((a, b) => b.strength - a.strength)) {
    if ((await each.check(options)).is === 'yes') return walking.includes(each.id);
  }
  return false;
}

/** How boxes get to their files. Looked at once, and only when it matters: it takes longer than all the rest of a start. */
export interface Way {
  readonly runtimeFolder: string;
  isWalked(): Promise<boolean>;
}

export function wayOf(box: PrepareOptions['box']): Way {
  let answer: Promise<boolean> | null = null;
  return {
    runtimeFolder: box.runtimeFolder,
    isWalked() {
      answer ??= isWalking(box);
      return answer;
    },
  };
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** A copy that is as it was made. */
function isWhole(copy: string): boolean {
  try {
    const { uid, mode } = lstatSync(copy);
    if (uid !== 0 || (mode & 0o022) !== 0) return false;
    return readFileSync(join(copy, serverFiles.seal), 'utf8') === sealOf(join(copy, serverFiles.tree));
  } catch {
    return false;
  }
}

function copyTo(folder: string, copy: string): void {
  const making = `${copy}.${process.pid}-${crypto.randomUUID()}`;
  try {
    mkdirSync(making, { recursive: true, mode: 0o755 });
    for (const path of [making, dirname(making)]) chmodSync(path, 0o755);
    cpSync(join(folder, serverFiles.tree), join(making, serverFiles.tree), { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(making, serverFiles.seal), sealOf(join(making, serverFiles.tree)), { mode: 0o600 });
    if (existsSync(copy) && !isWhole(copy)) rmSync(copy, { recursive: true, force: true });
    renameSync(making, copy);
  } catch (error) {
    // Somebody else was faster.
    if (!isWhole(copy)) throw explainWrite(error, copy);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** The tree of an installed server where the box can reach it: a copy in the runtime folder where it cannot otherwise. */
export async function reachableTree(folder: string, way: Way): Promise<string> {
  const tree = join(folder, serverFiles.tree);
  if (!isRoot() || closedFolder(tree) === null || !(await way.isWalked())) return tree;
  const copy = join(way.runtimeFolder, 'servers', basename(folder));
  if (!isWhole(copy)) copyTo(folder, copy);
  return join(copy, serverFiles.tree);
}

/** Told beforehand: what a box says when it cannot start is of little help. */
export async function closedProblems(files: readonly FileRule[], way: Way): Promise<readonly string[]> {
  if (!isRoot()) return [];
  const closed = files.flatMap(({ path }) => {
    const folder = closedFolder(path);
    return folder === null ? [] : [{ path, folder }];
  });
  if (closed.length === 0 || !(await way.isWalked())) return [];
  return closed.map(
    ({ path, folder }) =>
      `this box of root runs as a user of its own, who may not enter ${folder}, and ${path} is below it: move it, or use gvisor or runc`,
  );
}
