import { notAvailable, yes } from '../../../base/outcome.ts';
import type { HostProbe } from '../contract.ts';
import { hasSeccompAction, seccompActions } from '../seccomp-action.ts';

export const seccompFilter: HostProbe = {
  id: 'seccomp-filter',
  title: 'seccomp filter',
  usedFor: 'system calls that a policy denies',
  async ask() {
    if (!hasSeccompAction(seccompActions.refuseWithErrno)) {
      return notAvailable('the kernel was built without seccomp filters, or a filter around this process refuses them');
    }
    return yes({ summary: 'filters can refuse a call with an error', details: { canRefuse: true } });
  },
};
