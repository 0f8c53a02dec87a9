import type { HostProbe } from './contract.ts';
import { apparmor } from './probes/apparmor.ts';
import { btf } from './probes/btf.ts';
import { cgroups } from './probes/cgroups.ts';
import { landlock } from './probes/landlock.ts';
import { machine } from './probes/machine.ts';
import { overlay } from './probes/overlay.ts';
import { perl } from './probes/perl.ts';
import { ptraceScope } from './probes/ptrace-scope.ts';
import { seccompFilter } from './probes/seccomp-filter.ts';
import { seccompNotify } from './probes/seccomp-notify.ts';
import { userNamespaces } from './probes/user-namespaces.ts';

export { installPackages, planInstall, whyNotInstall } from './apt.ts';
export type { FactValue, HostFact, HostProbe } from './contract.ts';
export { findTool } from './find-tool.ts';
export { findLandlockAbi } from './landlock-abi.ts';
export { type HostTool, hostTools } from './tools.ts';

export const hostProbes: readonly HostProbe[] = [
  machine,
  landlock,
  seccompFilter,
  seccompNotify,
  userNamespaces,
  apparmor,
  cgroups,
  overlay,
  btf,
  ptraceScope,
  perl,
];
