import { constants } from 'node:fs';
import { access, mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { notAvailable, yes } from '../../../base/outcome.ts';
import { type CgroupMount, cgroupMode, parseCgroupMounts, parseOwnCgroups } from '../cgroup-layout.ts';
import type { HostProbe } from '../contract.ts';
import { readSetting } from '../read-setting.ts';

/** The controllers that a policy's limits are kept with. */
const wanted = ['memory', 'pids', 'cpu'] as const;

/** Whether a group can be made here: tried, because permissions on these files say little. */
async function canMakeGroup(parent: string): Promise<boolean> {
  const folder = join(parent, `hotcell-probe-${process.pid}`);
  try {
    await mkdir(folder);
    await rmdir(folder);
    return true;
  } catch {
    return false;
  }
}

async function writableOf(mount: CgroupMount, own: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const place = join(mount.path, own.get(mount.version === 2 ? '' : (mount.controllers[0] ?? '')) ?? '/');
  if (!(await canMakeGroup(place))) return [];
  if (mount.version === 1) return mount.controllers;
  try {
    await access(join(place, 'cgroup.subtree_control'), constants.W_OK);
  } catch {
    return [];
  }
  return ((await readSetting(join(place, 'cgroup.controllers'))) ?? '').split(' ').filter((name) => name !== '');
}

export const cgroups: HostProbe = {
  id: 'cgroups',
  title: 'control groups',
  usedFor: 'memory, process and cpu limits',
  async ask() {
    const mounts = parseCgroupMounts((await readSetting('/proc/self/mountinfo')) ?? '');
    const mode = cgroupMode(mounts);
    if (mode === 'none')
      return notAvailable('no cgroup file system is mounted', 'mount -t cgroup2 none /sys/fs/cgroup');
    const own = parseOwnCgroups((await readSetting('/proc/self/cgroup')) ?? '');
    const writable = [...new Set((await Promise.all(mounts.map((mount) => writableOf(mount, own)))).flat())].sort();
    const usable = wanted.filter((name) => writable.includes(name));
    const missing = wanted.filter((name) => !writable.includes(name));
    const details = { mode, writable, missing };
    if (usable.length === 0) {
      return notAvailable(
        `mounted (${mode}), but this user can write none of ${wanted.join(', ')}`,
        'run as root, or in a delegated scope: systemd-run --user --scope -p Delegate=yes hotcell …',
      );
    }
    const lacking = missing.length === 0 ? '' : `; not writable: ${missing.join(', ')}`;
    return yes({ summary: `${mode}; writable: ${usable.join(', ')}${lacking}`, details });
  },
};
