import { describe, expect, it } from 'vitest';
import { cgroupMode, parseCgroupMounts, parseOwnCgroups } from './cgroup-layout.ts';

const v1 = [
  '30 24 0:26 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct',
  '31 24 0:27 / /sys/fs/cgroup/memory rw,nosuid shared:10 master:2 - cgroup cgroup rw,memory',
  '32 24 0:28 / /sys/fs/cgroup/systemd rw,nosuid - cgroup cgroup rw,xattr,name=systemd',
];
const v2 = '33 24 0:29 / /sys/fs/cgroup/unified rw,nosuid - cgroup2 cgroup2 rw,nsdelegate';
const other = '22 1 8:1 / / rw,relatime - ext4 /dev/root rw';

describe('parseCgroupMounts', () => {
  it('reads the controllers of version 1 from the options, and no others', () => {
    expect(parseCgroupMounts(v1.join('\n'))).toEqual([
      { version: 1, path: '/sys/fs/cgroup/cpu,cpuacct', controllers: ['cpu', 'cpuacct'] },
      { version: 1, path: '/sys/fs/cgroup/memory', controllers: ['memory'] },
      { version: 1, path: '/sys/fs/cgroup/systemd', controllers: [] },
    ]);
  });

  it('leaves other file systems out and decodes blanks in paths', () => {
    const odd = '40 24 0:30 / /mnt/a\\040b rw - cgroup2 none rw';
    expect(parseCgroupMounts([other, odd, ''].join('\n'))).toEqual([{ version: 2, path: '/mnt/a b', controllers: [] }]);
  });
});

describe('cgroupMode', () => {
  const table: readonly [string, readonly string[], string][] = [
    ['both kinds', [...v1, v2], 'hybrid'],
    ['only version 1', v1, 'v1'],
    ['only version 2', [v2], 'v2'],
    ['version 2 beside a named hierarchy without controllers', [v1[2] ?? '', v2], 'v2'],
    ['neither', [other], 'none'],
    ['nothing readable', [''], 'none'],
  ];
  it.each(table)('%s', (_, lines, mode) => {
    expect(cgroupMode(parseCgroupMounts(lines.join('\n')))).toBe(mode);
  });
});

describe('parseOwnCgroups', () => {
  it('keeps colons of a path and finds version 2 under the empty name', () => {
    const places = parseOwnCgroups('4:memory:/a:b/c\n3:cpu,cpuacct:/d\n0::/user.slice\nbroken\n');
    expect([...places]).toEqual([
      ['memory', '/a:b/c'],
      ['cpu', '/d'],
      ['cpuacct', '/d'],
      ['', '/user.slice'],
    ]);
  });
});
