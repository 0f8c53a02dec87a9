/** Commands that only run another one: what they run is what counts. */

interface Wrapper {
  /** Options that take the next word. */
  readonly withValue: string;
  /** Words of its own before the command: `timeout 5 ls`. */
  readonly words: number;
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: { withValue: '-u -g -h -p -C -T -U -D -R', words: 0 },
  doas: { withValue: '-u -C', words: 0 },
  env: { withValue: '-u -C --unset --chdir', words: 0 },
  nohup: { withValue: '', words: 0 },
  setsid: { withValue: '', words: 0 },
  nice: { withValue: '-n --adjustment', words: 0 },
  ionice: { withValue: '-c -n -p', words: 0 },
  chrt: { withValue: '', words: 1 },
  taskset: { withValue: '', words: 1 },
  stdbuf: { withValue: '-i -o -e', words: 0 },
  timeout: { withValue: '-s -k --signal --kill-after', words: 1 },
  time: { withValue: '-f -o', words: 0 },
  command: { withValue: '', words: 0 },
  builtin: { withValue: '', words: 0 },
  exec: { withValue: '-a', words: 0 },
  busybox: { withValue: '', words: 0 },
  toybox: { withValue: '', words: 0 },
  chroot: { withValue: '', words: 1 },
  unshare: { withValue: '', words: 0 },
  strace: { withValue: '-o -e -s -p -u', words: 0 },
  ltrace: { withValue: '-o -e -s -p -u', words: 0 },
  watch: { withValue: '-n', words: 0 },
  xargs: { withValue: '-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs', words: 0 },
  parallel: { withValue: '-j -a', words: 0 },
  proxychains: { withValue: '-f', words: 0 },
  proxychains4: { withValue: '-f', words: 0 },
  torsocks: { withValue: '', words: 0 },
  firejail: { withValue: '', words: 0 },
};

type Argv = readonly (string | null)[];

export function baseName(word: string | null | undefined): string {
  return (word ?? '').split('/').at(-1) ?? '';
}

/** The command inside, once; null when this one runs no other. */
export function unwrap(argv: Argv): Argv | null {
  const wrapper = wrappers[baseName(argv[0])];
  if (wrapper === undefined) return null;
  const withValue = wrapper.withValue.split(' ');
  let at = 1;
  let words = wrapper.words;
  for (; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') continue;
    if (word.startsWith('-') && word !== '-') {
      if (withValue.includes(word)) at += 1;
    } else if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(word)) continue;
    else if (words > 0) words -= 1;
    else break;
  }
  return at < argv.length ? argv.slice(at) : null;
}

const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'zsh',
  'ksh',
  'mksh',
  'fish',
  'rbash',
  'su',
  'script',
  'runuser',
]);

/** Text that a command takes for a line of its own: `sh -c '…'`, `eval …`, `env -S '…'`. */
export function innerLines(argv: Argv): readonly string[] {
  const base = baseName(argv[0]);
  const rest = argv.slice(1).map((word) => word ?? '');
  if (base === 'eval') return [rest.join(' ')];
  if (base === 'trap') return rest.slice(0, 1);
  if (base === 'env') {
    const at = rest.findIndex((word) => /^-[A-Za-z]*S|^--split-string/.test(word));
    const attached = (rest[at] ?? '').replace(/^-[A-Za-z]*S|^--split-string=?/, '');
    return at === -1 ? [] : [[attached, ...rest.slice(at + 1)].join(' ')];
  }
  if (base === 'watch') return [rest.filter((word) => !word.startsWith('-')).join(' ')];
  if (!shells.has(base)) return [];
  const at = rest.findIndex((word) => /^-[A-Za-z]*c$/.test(word) || word === '--command');
  return at === -1 ? [] : rest.slice(at + 1, at + 2);
}

/** What `find` runs for each file, with the folder it begins at in place of the file. */
export function findCommands(argv: Argv): {
  readonly starts: readonly string[];
  readonly inner: readonly Argv[];
  readonly isDelete: boolean;
} {
  const rest = argv.slice(1).map((word) => word ?? '');
  const firstTest = rest.findIndex((word) => /^[-(!]/.test(word) && !/^-[HLP]$/.test(word));
  const starts = rest.slice(0, firstTest === -1 ? undefined : firstTest).filter((word) => !word.startsWith('-'));
  const inner = rest.flatMap((word, at) => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(word)) return [];
    const end = rest.findIndex((each, index) => index > at && (each === ';' || each === '+'));
    const command = rest.slice(at + 1, end === -1 ? undefined : end);
    return [command.flatMap((each) => (each === '{}' ? starts : [each]))];
  });
  return { starts, inner, isDelete: rest.includes('-delete') };
}
