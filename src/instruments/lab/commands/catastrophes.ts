import { isBlockDevice, isVital } from './paths.ts';
import { baseName } from './wrappers.ts';

/** Commands after which there is no machine left, as a table. `words` are without the name of the command. */

export interface Catastrophe {
  readonly rule: string;
  readonly why: string;
  readonly commands: RegExp;
  readonly matches: (words: readonly string[], hasUnknown: boolean) => boolean;
}

const plain = (words: readonly string[]): readonly string[] => {
  const end = words.indexOf('--');
  return words.filter((word, at) => (end !== -1 && at > end) || !word.startsWith('-'));
};
const isRecursive = (words: readonly string[]): boolean =>
  words.some((word) => /^-[A-Za-z]*[rR]/.test(word) || /^--rec/.test(word));
const anyDevice = (words: readonly string[]): boolean => words.some(isBlockDevice);

export const catastrophes: readonly Catastrophe[] = [
  {
    rule: 'remove-system',
    why: 'it removes the system or a home folder',
    commands: /^(?:rm|srm|unlink)$/,
    matches: (words, hasUnknown) => {
      if (words.some((word) => word.startsWith('--no-preserve-root'))) return true;
      const targets = plain(words).filter(isVital);
      if (isRecursive(words)) return targets.length > 0 || hasUnknown;
      return targets.some((target) => /[*?[]/.test(target));
    },
  },
  {
    rule: 'make-file-system',
    why: 'it makes a new file system over an old one',
    commands: /^(?:mkfs(?:\..+)?|mke2fs|mkswap|newfs|mkntfs|mkdosfs)$/,
    matches: () => true,
  },
  {
    rule: 'write-device',
    why: 'it writes onto a disk past its file system',
    commands: /^(?:dd|dcfldd|dc3dd)$/,
    matches: (words) => words.some((word) => word.startsWith('of=') && isBlockDevice(word.slice(3))),
  },
  {
    rule: 'write-device',
    why: 'it writes onto a disk past its file system',
    commands:
      /^(?:tee|shred|wipefs|blkdiscard|truncate|sgdisk|sfdisk|fdisk|parted|badblocks|ddrescue|hdparm|scrub|nwipe|sponge)$/,
    matches: anyDevice,
  },
  {
    rule: 'write-device',
    why: 'it writes onto a disk past its file system',
    commands: /^(?:cp|install|rsync|mv)$/,
    matches: (words) => isBlockDevice(plain(words).at(-1) ?? ''),
  },
  {
    rule: 'move-system',
    why: 'it moves a folder of the system away',
    commands: /^mv$/,
    matches: (words) => plain(words).slice(0, -1).some(isVital),
  },
  {
    rule: 'change-system',
    why: 'it changes rights or owners of the whole system',
    commands: /^(?:chmod|chown|chgrp|setfacl|chattr)$/,
    matches: (words) => isRecursive(words) && words.some(isVital),
  },
  {
    rule: 'stop-machine',
    why: 'it stops or restarts the machine',
    commands: /^(?:shutdown|reboot|halt|poweroff|killall5)$/,
    matches: () => true,
  },
  {
    rule: 'stop-machine',
    why: 'it stops or restarts the machine',
    commands: /^(?:init|telinit)$/,
    matches: (words) => /^[0156sS]$/.test(words[0] ?? ''),
  },
  {
    rule: 'stop-machine',
    why: 'it stops or restarts the machine',
    commands: /^(?:systemctl|loginctl)$/,
    matches: (words) =>
      words.some((word) =>
        /^(?:poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate|soft-reboot)$/.test(word),
      ),
  },
  { rule: 'kill-all', why: 'it ends every process there is', commands: /^kill$/, matches: killsAll },
];

/** `-1` as the process means everything; as the first word before a process it is only a signal. */
function killsAll(words: readonly string[]): boolean {
  const [first, ...rest] = words;
  if (first === '-l' || first === '-L') return false;
  const isSignal = first?.startsWith('-') === true && first !== '--';
  const isNamed = first === '-s' || first === '-n' || first === '--signal';
  const targets = (isNamed ? rest.slice(1) : isSignal ? rest : words).filter((word) => word !== '--');
  if (targets.length === 0) return first === '-1';
  return targets.some((target) => target === '-1' || target === '1' || target === '-0' || target === '0');
}

export function findCatastrophe(argv: readonly (string | null)[]): Catastrophe | null {
  const base = baseName(argv[0]);
  const words = argv.slice(1).map((word) => word ?? '');
  const hasUnknown = argv.slice(1).includes(null);
  return catastrophes.find(({ commands, matches }) => commands.test(base) && matches(words, hasUnknown)) ?? null;
}
