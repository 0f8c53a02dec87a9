import { describe, expect, it } from 'vitest';
import { tierPolicy } from '../tiers.ts';
import { compileCgroup } from './cgroup.ts';

function valuesFor(cpuCores: number) {
  const policy = tierPolicy('LOW');
  const { v1, v2 } = compileCgroup({ ...policy, limits: { ...policy.limits, cpuCores } }).value;
  const read = (values: typeof v1): Record<string, string> =>
    Object.fromEntries(values.map(({ file, value }) => [file, value]));
  return { v1: read(v1), v2: read(v2) };
}

describe('compileCgroup', () => {
  it.each([
    [0.05, '5000'],
    [0.5, '50000'],
    [1, '100000'],
    [1.25, '125000'],
    [1 / 3, '33333'],
    [4, '400000'],
    [1024, '102400000'],
  ])('%d cores are a quota of %s in 100000', (cores, quota) => {
    const { v1, v2 } = valuesFor(cores);
    expect(v1).toMatchObject({ 'cpu.cfs_period_us': '100000', 'cpu.cfs_quota_us': quota });
    expect(v2['cpu.max']).toBe(`${quota} 100000`);
  });

  it('limits memory without swap, and processes', () => {
    const { v1, v2 } = valuesFor(1);
    expect(v1).toMatchObject({
      'memory.limit_in_bytes': '268435456',
      'memory.memsw.limit_in_bytes': '268435456',
      'pids.max': '32',
    });
    expect(v2).toMatchObject({
      'memory.max': '268435456',
      'memory.swap.max': '0',
      'memory.oom.group': '1',
      'pids.max': '32',
    });
  });

  it('writes memory before memory and swap, as the kernel wants it', () => {
    const files = compileCgroup(tierPolicy('LOW')).value.v1.map(({ file }) => file);
    expect(files.indexOf('memory.limit_in_bytes')).toBeLessThan(files.indexOf('memory.memsw.limit_in_bytes'));
  });

  it('makes only what some kernels lack optional', () => {
    const { v1, v2 } = compileCgroup(tierPolicy('LOW')).value;
    const must = [...v1, ...v2].filter(({ isOptional }) => !isOptional).map(({ file }) => file);
    expect(must).toEqual([
      'memory.limit_in_bytes',
      'pids.max',
      'cpu.cfs_period_us',
      'cpu.cfs_quota_us',
      'memory.max',
      'pids.max',
      'cpu.max',
    ]);
  });
});
