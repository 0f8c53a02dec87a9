import { notAvailable, yes } from '../../../base/outcome.ts';
import type { HostProbe } from '../contract.ts';
import { readSetting } from '../read-setting.ts';

const scopes = ['any process of the same user', 'only descendants', 'only with CAP_SYS_PTRACE', 'nobody'] as const;

export const ptraceScope: HostProbe = {
  id: 'ptrace-scope',
  title: 'ptrace of descendants',
  usedFor: 'strace as a witness of last resort',
  async ask() {
    const value = await readSetting('/proc/sys/kernel/yama/ptrace_scope');
    if (value === null) return yes({ summary: 'not restricted, this kernel has no Yama', details: { scope: null } });
    const scope = Number(value);
    const who = scopes[scope] ?? `unknown value ${value}`;
    const isEnough = scope <= 1 || (scope === 2 && process.getuid?.() === 0);
    if (isEnough) return yes({ summary: `allowed: ${who}`, details: { scope } });
    return notAvailable(`Yama allows it to ${who}`, 'sysctl -w kernel.yama.ptrace_scope=1');
  },
};
