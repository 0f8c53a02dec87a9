import type { Gap } from '../../policy/gap.ts';

export const gvisorTraceCannot: readonly Gap[] = [
  {
    id: 'trace-paths',
    path: '',
    what: 'the paths of unlink, rename, link, chmod, chown and mkdir, the name of a memfd and the address of a send-to: such a call is told with its process and outcome, and disk-diff and the network say the rest',
    effect: 'open',
  },
  {
    id: 'trace-not-utf8',
    path: '',
    what: 'a path or an argument that is not valid UTF-8: the open or exec is told without it',
    effect: 'open',
  },
  {
    id: 'trace-refused-by-filter',
    path: 'syscalls',
    what: "a call that the policy's filter refuses: it never comes as far as a trace point",
    effect: 'open',
  },
  {
    id: 'trace-long-argv',
    path: '',
    what: 'the program of an exec with more than about 200 kB of arguments: the message is dropped, and counted',
    effect: 'open',
  },
  {
    id: 'trace-names',
    path: '',
    what: 'the name that a process gives to itself: it is called after the program it runs',
    effect: 'open',
  },
];
