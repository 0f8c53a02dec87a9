import type { SyscallRule } from '../../../base/policy-schema.ts';

/** The system calls that no target needs and that reach far into the kernel. Shared by every tier. */
const groups: readonly (readonly [why: string, names: string])[] = [
  ['its operations pass no system call filter and no sensor', 'io_uring_setup io_uring_enter io_uring_register'],
  ['programs in the kernel', 'bpf'],
  [
    'looks into and changes other processes',
    'ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd move_pages migrate_pages',
  ],
  [
    'changes what the file tree is made of',
    'mount umount2 pivot_root chroot fsopen fsconfig fsmount fspick open_tree open_tree_attr move_mount mount_setattr',
  ],
  ['opens files past the checks on their path', 'open_by_handle_at name_to_handle_at'],
  ['watches or holds up what others do with files', 'fanotify_init'],
  ['enters or makes namespaces', 'setns unshare clone(namespaces)'],
  ['its flags lie behind a pointer that a filter cannot read; libc falls back to clone', 'clone3'],
  ['keys that are not kept apart by namespaces', 'keyctl add_key request_key'],
  ['holds kernel code still in the middle of a copy, a common step of exploits', 'userfaultfd'],
  ['starts another kernel', 'kexec_load kexec_file_load reboot'],
  ['loads code into the kernel', 'init_module finit_module delete_module create_module query_module get_kernel_syms'],
  ['measures other processes and the kernel', 'perf_event_open lookup_dcookie'],
  ['belongs to the owner of the machine', 'quotactl quotactl_fd swapon swapoff acct syslog vhangup nfsservctl'],
  ['the clock of the machine', 'settimeofday clock_settime clock_adjtime adjtimex'],
  ['the name of the machine', 'sethostname setdomainname'],
  ['direct access to ports of the hardware', 'iopl ioperm'],
  ['old calls with a history of faults', 'uselib ustat sysfs _sysctl modify_ldt'],
  ['switches address space randomisation off', 'personality'],
  ['types into the terminal of somebody else', 'ioctl(tiocsti) ioctl(tioclinux)'],
  ['packets made by hand', 'socket(raw) socket(packet)'],
  ['talks to the hypervisor or to other machines past every network rule', 'socket(vsock)'],
  ['the cipher interface of the kernel, rarely used and often faulty', 'socket(alg)'],
  ['netlink other than routes: audit, firewall, devices', 'socket(netlink-other)'],
  ['families of sockets that only special hardware or clusters use', 'socket(exotic)'],
];

/** A file that has no path can be run without any rule about files seeing it. */
const pathless: readonly (readonly [why: string, names: string])[] = [
  ['makes a program that has no path and that no rule about files can see', 'memfd_create memfd_secret'],
];

function rulesOf(list: readonly (readonly [why: string, names: string])[]): readonly SyscallRule[] {
  return list.flatMap(([why, names]) => names.split(' ').map((name) => ({ name, why })));
}

export const commonDenials: readonly SyscallRule[] = rulesOf(groups);
export const strictDenials: readonly SyscallRule[] = rulesOf([...groups, ...pathless]);
