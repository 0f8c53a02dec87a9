import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { expectedOf } from '../../../engine/policy/read/issue.ts';
import type { ScannerDefinition } from '../../../instruments/probe/contract.ts';
import type { OptionDefinition } from '../definition.ts';
import { describeDefault, describeValue, flagsOf, type ToolFlag } from '../tool/flags.ts';

/** Flags of probe: those that it is set up with, and those that are made from the arguments of a scanner. */

export const probeFlagDefinitions: readonly OptionDefinition[] = [
  { flags: '--scope <file>', description: 'who may be scanned; or HOTCELL_PROBE_SCOPE' },
  {
    flags: '--network-layer <where>',
    description: 'gate (default): each scan in a box behind a gate; outside: the host restricts this container',
  },
];

export const probeFlagShape = { scope: z.string().optional(), networkLayer: z.string().optional() };

/** A file of the caller stands for a text that is too long for a command line. */
export const fromFile: ReadonlySet<string> = new Set(['document']);

/** What everybody on this machine can read in a list of processes may come from a file instead. */
export const mayComeFromFile: ReadonlySet<string> = new Set(['token']);

function placeholder({ kind, field }: ToolFlag): string {
  if (mayComeFromFile.has(field)) return ` <${field} or @file>`;
  if (kind === 'boolean') return '';
  if (fromFile.has(field)) return ' <file>';
  return kind === 'number' ? ' <number>' : ` <${field.replaceAll('_', '-')}>`;
}

function describe(flag: ToolFlag): string {
  const usual = describeDefault(flag);
  const told = flag.schema.description ?? '';
  const values = flag.schema.enum === undefined ? '' : `: ${describeValue(flag)}`;
  return `${told}${values}${usual === null ? '' : `; default ${usual}`}`;
}

export function scannerFlags(scanner: ScannerDefinition): readonly OptionDefinition[] {
  return flagsOf(scanner)
    .filter(({ field }) => field !== scanner.positional)
    .map((flag) => ({
      flags: `${flag.flag}${placeholder(flag)}`,
      description: describe(flag),
      ...(flag.isList ? { isRepeatable: true } : {}),
    }));
}

/** word_list -> wordList, as commander hands it over. */
function optionName(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function readValue(flag: ToolFlag, given: unknown): unknown {
  if (flag.kind !== 'number') return given;
  const one = (text: unknown): number => {
    const value = Number(text);
    if (typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) && Number.isFinite(value)) return value;
    throw new UsageError(`${flag.flag}: expected a number, not ${JSON.stringify(String(text).slice(0, 100))}`);
  };
  return Array.isArray(given) ? given.map(one) : one(given);
}

/** What a command line gave, as the scanner wants it; texts that come from files are read by the caller. */
export function readScannerInput(
  scanner: ScannerDefinition,
  options: Readonly<Record<string, unknown>>,
  words: readonly string[],
): Readonly<Record<string, unknown>> {
  const entries = flagsOf(scanner)
    .filter(({ field }) => field !== scanner.positional)
    .flatMap((flag): [string, unknown][] => {
      const given = options[optionName(flag.field)];
      const isEmpty = given === undefined || (Array.isArray(given) && given.length === 0);
      return isEmpty ? [] : [[flag.field, readValue(flag, given)]];
    });
  return { [scanner.positional]: words[0] ?? '', ...Object.fromEntries(entries) };
}

/** What a schema says of a pattern is the pattern; what stands there usually says more. */
function describeFault(scanner: ScannerDefinition, issue: z.core.$ZodIssue): string {
  const field = String(issue.path[0] ?? '');
  const where = field === scanner.positional ? field : `--${field.replaceAll('_', '-')}`;
  if (issue.code !== 'invalid_format') return `${where}: expected ${expectedOf(issue)}`;
  const usual = scanner.examples.map(({ input }) => Reflect.get(input, field) as unknown).find(Boolean);
  const told = flagsOf(scanner).find((flag) => flag.field === field)?.schema.description ?? 'something else';
  return `${where}: expected ${told}${usual === undefined ? '' : `, such as ${String(usual).slice(0, 100)}`}`;
}

/** @throws UsageError that names the argument and what is expected there. */
export function checkScannerInput(
  scanner: ScannerDefinition,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const checked = scanner.input.safeParse(input);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new UsageError(issue === undefined ? 'the arguments do not fit' : describeFault(scanner, issue), {
    hint: `hotcell probe ${scanner.command} --help says what may stand there`,
  });
}
