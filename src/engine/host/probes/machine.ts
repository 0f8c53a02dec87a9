import { release } from 'node:os';
import { notAvailable, yes } from '../../../base/outcome.ts';
import type { HostProbe } from '../contract.ts';

export const machine: HostProbe = {
  id: 'machine',
  title: 'machine',
  usedFor: 'system call numbers, filters and paths follow the architecture',
  async ask() {
    const details = { platform: process.platform, architecture: process.arch, kernel: release() };
    const summary = `${process.platform} ${process.arch}, kernel ${release()}`;
    const isSupported = process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64');
    return isSupported ? yes({ summary, details }) : notAvailable(`${summary}: boxes run on Linux, x64 or arm64`);
  },
};
