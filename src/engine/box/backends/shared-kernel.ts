import type { Gap } from '../../policy/index.ts';

/** What no box can keep that shares the host's kernel and the files of its system folders. */
export const sharedKernelGaps: readonly Gap[] = [
  {
    id: 'kernel-bugs',
    path: '',
    what: 'an error in the host kernel that an allowed system call can reach',
    effect: 'open',
  },
  {
    id: 'watched-files',
    path: 'files',
    what: 'that somebody else opens a file of a shared system folder can be noticed (inotify), though not who or why',
    effect: 'open',
  },
];
