import { mebibyte } from '../../../base/limits.ts';
import type { CgroupValues } from '../../policy/index.ts';

/**
 * gVisor's own kernel runs under the same limits as its target, and needs room beside it: threads of its own, some
 * host tasks per task of the target, and memory for its own tables.
 */
const kernelTasks = 160;
const hostTasksPerTask = 3;
const kernelMemoryBytes = 96 * mebibyte;

export function widenProcesses(processes: number): number {
  return processes * hostTasksPerTask + kernelTasks;
}

export function widenMemory(memoryBytes: number): number {
  return memoryBytes + kernelMemoryBytes;
}

export function makeRoom(values: CgroupValues): CgroupValues {
  const widen = (file: string, value: string): string => {
    if (file === 'pids.max') return String(widenProcesses(Number(value)));
    if (/^memory\.(limit_in_bytes|memsw\.limit_in_bytes|max)$/.test(file)) return String(widenMemory(Number(value)));
    return value;
  };
  return {
    v1: values.v1.map((setting) => ({ ...setting, value: widen(setting.file, setting.value) })),
    v2: values.v2.map((setting) => ({ ...setting, value: widen(setting.file, setting.value) })),
  };
}
