import { notAvailable, yes } from '../../../base/outcome.ts';
import type { HostProbe } from '../contract.ts';
import { readSetting } from '../read-setting.ts';

const setting = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

/** Ubuntu lets everybody make a user namespace and takes the capabilities in it away: bwrap then fails half-way. */
export const apparmor: HostProbe = {
  id: 'apparmor-user-namespaces',
  title: 'AppArmor leaves user namespaces alone',
  usedFor: 'bwrap for users other than root on Ubuntu 23.10 and later',
  async ask() {
    const value = await readSetting(setting);
    if (value === null) return { is: 'not-applicable' };
    if (value === '0') return yes({ summary: 'not restricted', details: { restricts: false } });
    return notAvailable(
      'AppArmor takes the capabilities away from user namespaces of programs without a profile',
      'an AppArmor profile for /usr/bin/bwrap with "userns,", or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    );
  },
};
