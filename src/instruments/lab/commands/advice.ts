import type { Advisory, SeenCommand } from './contract.ts';
import { baseName } from './wrappers.ts';

/** What is better done another way, and what the reader of an output should know. Tables, one line per case. */

interface Discouraged {
  readonly rule: string;
  readonly commands: RegExp;
  readonly why: string;
  readonly better: string;
}

export const discouraged: readonly Discouraged[] = [
  {
    rule: 'raw-yara',
    commands: /^(?:yara|yarac|yr)$/,
    why: 'its plain output has neither offsets nor what a rule means, and rules that fail to compile pass unseen',
    better:
      'analyze_file runs YARA with the built-in rules and those of the rules folder, and gives matches with offsets',
  },
];

interface Hint {
  readonly rule: string;
  readonly matches: (argv: readonly string[], isLast: boolean) => boolean;
  readonly text: string;
}

const is = (pattern: RegExp) => (argv: readonly string[]) => pattern.test(baseName(argv[0]));
const has = (argv: readonly string[], pattern: RegExp): boolean => argv.slice(1).some((word) => pattern.test(word));

const hints: readonly Hint[] = [
  {
    rule: 'one-encoding',
    matches: (argv) => is(/^strings$/)(argv) && !has(argv, /^(?:-e|--encoding)/),
    text: 'INCOMPLETE: strings without -e finds one encoding only; UTF-16 text, common in Windows programs, is not in this output. analyze_file finds strings of every encoding.',
  },
  {
    rule: 'cut-output',
    matches: (argv, isLast) => isLast && is(/^(?:head|tail)$/)(argv) && !isWholeTail(argv),
    text: 'PARTIAL: the line ends in head or tail, so what was cut off has not been seen. Long output is kept whole and shortened by itself.',
  },
  {
    rule: 'private-copy',
    matches: is(
      /^(?:upx|apktool|msgconvert|unar|7z|7za|7zz|unzip|cabextract|pdfextract|pdfdecompress|pyinstxtractor(?:-ng)?(?:\.py)?|binwalk|foremost|dos2unix|debloat|disitool(?:\.py)?|jadx|floss2?idb|sed|strip|objcopy)$/,
    ),
    text: 'This tool can write beside or into its input. It works on a private copy; the sample itself stays as it is, and what it makes is in the output folder.',
  },
];

function isWholeTail(argv: readonly string[]): boolean {
  if (baseName(argv[0]) !== 'tail') return false;
  return (
    has(argv, /^(?:-[A-Za-z0-9]*[fF]|--follow)/) || has(argv, /^(?:-[nc])?\+1$/) || has(argv, /^--(?:lines|bytes)=\+1$/)
  );
}

export function findDiscouraged(commands: readonly SeenCommand[]): Discouraged | null {
  return discouraged.find(({ commands: names }) => commands.some(({ argv }) => names.test(baseName(argv[0])))) ?? null;
}

export function adviseOn(commands: readonly SeenCommand[]): readonly Advisory[] {
  const lists = commands.filter(({ argv }) => argv.length > 0).map(({ argv }) => argv.map((word) => word ?? ''));
  return hints.flatMap(({ rule, matches, text }) =>
    lists.some((argv, at) => matches(argv, at === lists.length - 1)) ? [{ rule, text }] : [],
  );
}
