import type { Expectation, Json, Programme } from './expectation.ts';
import { argv, bytes, creating, emptying, expected, opened, paths, reading } from './sixty-parts.ts';

/** What ../actions/sixty.pl does, action by action. */

const truePath = [bytes('/usr/bin/true')];
/** A sensor may name the file behind the link. */
const shellPaths = ['/bin/sh', '/usr/bin/sh', '/bin/dash', '/usr/bin/dash', '/bin/bash', '/usr/bin/bash'].map(bytes);

const parents = {
  main: null,
  'exec-long': 'main',
  'exec-many': 'main',
  'exec-empty': 'main',
  'exec-bytes': 'main',
  'exec-failing': 'main',
  'exec-script': 'main',
  'exec-twice': 'main',
  'exec-at': 'main',
  shell: 'main',
  'shell-child': 'shell',
  seven: 'main',
  middle: 'main',
  orphan: 'middle',
  killed: 'main',
  threads: 'main',
  'thread-child': 'threads',
  user: 'main',
  traced: 'main',
  attached: 'main',
  kernel: 'main',
} as const;

const oddNames: readonly (readonly [what: string, name: string])[] = [
  ['commas and what looks like the rest of a log line', 'comma,name,"), O_RDONLY) = 3'],
  ['a single quote', "single'quote"],
  ['a double quote', 'double"quote'],
  ['a new line', 'new\nline'],
  ['a tab', 'tab\tname'],
  ['terminal escapes', 'ansi\x1b[31mred\x1b]0;title\x07'],
  ['bytes that are not UTF-8', 'invalid\xff\xfe\xc3\x28'],
  ['an emoji', 'emoji-\xf0\x9f\x98\x80'],
  ['a mark that turns text around', 'right-\xe2\x80\xaeto-left'],
  ['a dash in front', '-rf'],
  ['backslashes', 'back\\slash\\n\\x41'],
  ['255 bytes', 'n'.repeat(255)],
];

/** The longest path there is: 4,095 bytes. */
export function deepPath(scratch: string): string {
  let path = scratch;
  while (4095 - path.length - 1 > 255) path += `/${'d'.repeat(200)}`;
  return `${path}/${'f'.repeat(4095 - path.length - 1)}`;
}

function waysToOpen(scratch: string): readonly Expectation[] {
  const plain = paths(`${scratch}/plain`);
  const main = (
    number: number,
    what: string,
    path: readonly Json[],
    how: Parameters<typeof opened>[4],
    call?: string,
  ) => opened(number, 'main', what, path, how, call);
  return [
    main(1, 'create', plain, creating),
    main(2, 'open to read', plain, reading),
    main(3, 'open to write', plain, { access: 'write' }),
    main(4, 'open to append', plain, { access: 'write' }),
    main(5, 'open and empty', plain, { access: 'write', truncates: true }),
    main(6, 'open to read and write', plain, { access: 'read-write' }),
    main(7, 'open a folder', paths(scratch), { access: 'read', isFolder: true }),
    main(8, 'open as a path only', plain, { access: 'none' }),
    main(9, 'open below an open folder', paths('plain', scratch), reading),
    main(10, 'openat2', paths(`${scratch}/by-openat2`), creating, 'openat2'),
    main(11, 'the old open call', paths(`${scratch}/by-open`), creating, 'open'),
    main(12, 'the old creat call', paths(`${scratch}/created`), emptying, 'creat'),
    main(13, 'open a file without a name', paths(scratch), { access: 'read-write', creates: true }),
    main(14, 'open a file that is missing', paths(`${scratch}/missing`), reading),
    main(15, 'open a file that is forbidden', paths('/etc/shadow'), reading),
    ...oddNames.map(([what, name], at) => main(16 + at, `a name with ${what}`, paths(`${scratch}/${name}`), creating)),
    main(28, 'a path of 4,095 bytes', paths(deepPath(scratch)), creating),
  ];
}

function folders(scratch: string): readonly Expectation[] {
  const folder = `${scratch}/folder`;
  const open = (number: number, what: string, given: string, how: typeof creating | typeof reading) =>
    opened(number, 'main', what, paths(given, folder), how);
  return [
    expected(29, 'main', 'mkdir', 'mkdir', 'mkdir', { path: paths(folder), mode: [0o750] }),
    expected(30, 'main', 'mkdir', 'mkdirat', 'mkdirat', { path: paths('folder-at', scratch), mode: [0o711] }),
    open(31, 'a relative path', 'relative', creating),
    open(32, 'a relative path with ..', '../plain', reading),
    open(33, 'a relative path with . and // and ..', `.//${scratch}/../sixty-none`, reading),
    open(34, 'an absolute path with // and .. and .', `${scratch}//folder/.././/plain`, reading),
  ];
}

function names(scratch: string): readonly Expectation[] {
  const at = (name: string): readonly Json[] => paths(name, scratch);
  const full = (name: string): readonly Json[] => paths(`${scratch}/${name}`);
  const plain = full('plain');
  return [
    expected(35, 'main', 'rename', 'rename', 'rename', { from: full('created'), to: full('renamed') }),
    expected(36, 'main', 'rename', 'renameat', 'renameat', { from: at('renamed'), to: at('renamed-at') }),
    expected(37, 'main', 'rename', 'renameat2', 'renameat2', { from: full('renamed-at'), to: full('renamed,2') }),
    expected(38, 'main', 'link', 'link', 'link', { from: plain, to: full('hard'), isSymbolic: [false] }),
    expected(39, 'main', 'link', 'linkat', 'linkat', { from: at('plain'), to: at('hard-at'), isSymbolic: [false] }),
    expected(40, 'main', 'link', 'symlink', 'symlink to a name that is not UTF-8', {
      from: [bytes('/etc/\xffpasswd')],
      to: full('soft'),
      isSymbolic: [true],
    }),
    expected(41, 'main', 'link', 'symlinkat', 'symlinkat', {
      from: at('plain'),
      to: at('soft-at'),
      isSymbolic: [true],
    }),
    expected(42, 'main', 'chmod', 'chmod', 'chmod', { path: plain, mode: [0o640] }),
    expected(43, 'main', 'chmod', 'fchmod', 'fchmod', { mode: [0o604] }),
    expected(44, 'main', 'chmod', 'fchmodat', 'fchmodat', { path: at('plain'), mode: [0o640] }),
    expected(45, 'main', 'chmod', 'fchownat', 'fchownat', { path: plain }),
    expected(46, 'main', 'unlink', 'unlink', 'unlink', { path: full('hard'), isFolder: [false] }),
    expected(47, 'main', 'unlink', 'unlinkat', 'unlinkat', { path: at('hard-at'), isFolder: [false] }),
    expected(48, 'main', 'unlink', 'rmdir', 'rmdir', { path: full('folder-at'), isFolder: [true] }),
    expected(49, 'main', 'unlink', 'unlinkat', 'unlinkat of a folder', { path: full('no-folder'), isFolder: [true] }),
  ];
}

function programs(scratch: string): readonly Expectation[] {
  const run = (number: number, role: string, what: string, path: readonly Json[], ...list: readonly Json[]) =>
    expected(number, role, 'exec', 'execve', what, { path, argv: list });
  const many = Array.from({ length: 999 }, (_, at) => `argument-${at + 1}`);
  const script = `${scratch}/script`;
  return [
    run(50, 'exec-long', 'an argument of 100 kB', truePath, argv('true', 'a'.repeat(102_400))),
    run(51, 'exec-many', '1,000 arguments', truePath, argv('true', ...many)),
    run(52, 'exec-empty', 'empty arguments', truePath, argv('true', '', 'a', '', '')),
    run(
      53,
      'exec-bytes',
      'arguments that are not UTF-8',
      truePath,
      argv('tr\xfce', '\xff\xfe', '\xc3\x28', 'two\nlines', 'a,b "c"'),
    ),
    run(
      54,
      'exec-failing',
      'a program that is missing',
      paths(`${scratch}/no-program`),
      argv('no-program', 'fifty-four'),
    ),
    run(55, 'exec-failing', 'a program that may not be run', paths(`${scratch}/plain`), argv('plain', 'fifty-five')),
    opened(55, 'exec-failing', 'going on after that', paths(`${scratch}/after-failing`), creating),
    run(
      56,
      'exec-script',
      'a script',
      [bytes(script), ...truePath],
      argv('script', 'fifty-six'),
      argv('/usr/bin/true', script, 'fifty-six'),
    ),
    run(57, 'exec-twice', 'a program', shellPaths, argv('sh', '-c', 'exec /usr/bin/true fifty-seven')),
    run(57, 'exec-twice', 'another in the same process', truePath, argv('/usr/bin/true', 'fifty-seven')),
    { ...run(58, 'exec-at', 'execveat', truePath, argv('true', 'fifty-eight')), call: 'execveat' },
    run(
      59,
      'shell',
      'a shell',
      shellPaths,
      argv('sh', '-c', ': > "$1/role-shell"; /usr/bin/true role-shell-child; :', 'sh', scratch),
    ),
    run(59, 'shell-child', 'a program that a shell starts', truePath, argv('/usr/bin/true', 'role-shell-child')),
  ];
}

function processes(scratch: string): readonly Expectation[] {
  const after = opened(61, 'orphan', 'opening a file as an orphan', paths(`${scratch}/orphan-after`), creating);
  return [
    expected(60, 'seven', 'fork', 'clone', 'fork', {}),
    expected(60, 'seven', 'exit', 'exit_group', 'ending with 7', { code: [7] }),
    expected(61, 'orphan', 'fork', 'clone', 'a fork in a forked process', {}),
    expected(61, 'middle', 'exit', 'exit_group', 'ending before the child', { code: [0] }),
    { ...after, isOrphaned: true },
    expected(62, 'killed', 'exit', 'exit_group', 'being killed', { signal: ['SIGKILL', 'KILL', 9] }),
    opened(63, 'threads', 'a file opened by a thread', paths(`${scratch}/from-thread`), emptying),
    expected(64, 'thread-child', 'exec', 'execve', 'a program started by a thread', {
      path: truePath,
      argv: [argv('true', 'role-thread-child')],
    }),
    opened(65, 'threads', 'another file opened by it', paths(`${scratch}/from-thread-again`), emptying),
  ];
}

function networks(scratch: string): readonly Expectation[] {
  const inet = (address: string, port: number) => ({ family: ['ipv4'], address: [address], port: [port] });
  const unix = (path: string) => ({ family: ['unix'], path: [bytes(path)] });
  const connect = (number: number, what: string, fields: Expectation['fields']) =>
    expected(number, 'main', 'connect', 'connect', `connect to ${what}`, fields);
  return [
    connect(66, 'a closed port', inet('127.0.0.1', 1)),
    connect(67, 'IPv6', { family: ['ipv6'], address: ['::1'], port: [1] }),
    connect(68, 'a socket with a path', unix(`${scratch}/socket`)),
    connect(69, 'a socket with an abstract name', unix('\0sixty\0abstract')),
    connect(70, 'the internet', inet('93.184.216.34', 80)),
    expected(71, 'main', 'bind', 'bind', 'bind', inet('127.0.0.1', 0)),
    expected(72, 'main', 'listen', 'listen', 'listen', { backlog: [5] }),
    expected(73, 'main', 'send-to', 'sendto', 'sendto', inet('127.0.0.1', 9)),
    expected(74, 'main', 'send-to', 'sendmsg', 'sendmsg', inet('127.0.0.1', 10)),
  ];
}

function forbidden(scratch: string): readonly Expectation[] {
  const named = (number: number, role: string, kind: Expectation['kind'], call: string, what = call) =>
    expected(number, role, kind, call, what, { call: [call] });
  return [
    expected(75, 'main', 'memfd', 'memfd_create', 'memfd_create', { name: [bytes('memory,"\n')] }),
    named(76, 'user', 'set-user', 'setuid'),
    named(77, 'user', 'set-user', 'setresuid'),
    named(78, 'traced', 'ptrace', 'ptrace', 'asking to be traced'),
    named(79, 'main', 'ptrace', 'ptrace', 'tracing a child'),
    named(80, 'main', 'ptrace', 'process_vm_readv'),
    named(81, 'kernel', 'kernel', 'unshare'),
    named(82, 'kernel', 'kernel', 'mount'),
    named(83, 'kernel', 'kernel', 'setns'),
    named(84, 'kernel', 'kernel', 'io_uring_setup'),
    opened(85, 'main', 'the last file', paths(`${scratch}/last`), creating),
  ];
}

/** `scratch` is the folder as the program was given it. */
export function sixtyActions(scratch: string): Programme {
  const parts = [waysToOpen, folders, names, programs, processes, networks, forbidden];
  return { scratch, parents, expectations: parts.flatMap((part) => part(scratch)) };
}
