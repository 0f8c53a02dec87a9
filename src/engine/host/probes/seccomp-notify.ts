import { notAvailable, yes } from '../../../base/outcome.ts';
import type { HostProbe } from '../contract.ts';
import { hasSeccompAction, seccompActions } from '../seccomp-action.ts';

export const seccompNotify: HostProbe = {
  id: 'seccomp-user-notify',
  title: 'seccomp user notification',
  usedFor: 'watching chosen system calls without losing one',
  async ask() {
    if (!hasSeccompAction(seccompActions.notifySupervisor)) {
      return notAvailable('the kernel cannot hand system calls to a supervisor');
    }
    return yes({ summary: 'a supervisor can watch chosen calls', details: { canNotify: true } });
  },
};
