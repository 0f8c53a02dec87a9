import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a box could leave on the host, looked for by the id of the box and by its folder. */

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // A process may end while it is looked at.
    return '';
  }
}

function findProcesses(marks: readonly string[]): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((name) => {
      const facts = ['cmdline', 'cgroup', 'environ'].map((file) => readQuietly(`/proc/${name}/${file}`)).join('\n');
      return marks.some((mark) => facts.includes(mark));
    })
    .map((name) => `process ${name}: ${readQuietly(`/proc/${name}/cmdline`).replaceAll('\0', ' ')}`);
}

function findMounts(marks: readonly string[]): readonly string[] {
  return readQuietly('/proc/self/mountinfo')
    .split('\n')
    .filter((line) => marks.some((mark) => line.includes(mark)))
    .map((line) => `mount ${line}`);
}

function findCgroups(marks: readonly string[], folder = '/sys/fs/cgroup', depth = 0): readonly string[] {
  if (depth > 6) return [];
  let names: readonly string[];
  try {
    names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
  return names.flatMap((name) => [
    ...(marks.some((mark) => name.includes(mark)) ? [`cgroup ${join(folder, name)}`] : []),
    ...findCgroups(marks, join(folder, name), depth + 1),
  ]);
}

export function findBoxes(runtimeFolder: string): readonly string[] {
  try {
    return readdirSync(join(runtimeFolder, 'boxes'));
  } catch {
    return [];
  }
}

/** Everything on the host that still names one of these boxes. */
export function findTraces(runtimeFolder: string, boxes: readonly string[]): readonly string[] {
  const marks = [runtimeFolder, ...boxes];
  return [
    ...findBoxes(runtimeFolder).map((name) => `folder ${name}`),
    ...findProcesses(marks),
    ...findMounts(marks),
    ...findCgroups(boxes),
  ];
}

/** A folder that boxes of other users on this machine do not share; its boxes have to be able to pass through it. */
export async function makeRuntimeFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-runtime-'));
  await chmod(folder, 0o711);
  return folder;
}
