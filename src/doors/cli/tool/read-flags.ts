import { UsageError } from '../../../base/errors.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import type { ToolFlag } from './flags.ts';

/** The words after the name of a tool, as an input for it. The schema then says whether the values will do. */

export interface ReadFlags {
  readonly input: Readonly<Record<string, unknown>>;
  readonly isJson: boolean;
  readonly isHelp: boolean;
}

/** Fields that take the words after `--`. */
const commandFields = ['argv', 'command'];
const longestShown = 200;

const quote = (text: string): string => JSON.stringify(text.slice(0, longestShown));

function readNumber(text: string, flag: string): number {
  if (/^-?\d{1,16}(\.\d{1,16})?$/.test(text)) return Number(text);
  throw new UsageError(`${flag} ${quote(text)}: expected a number`);
}

function readJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${flag} ${quote(text)}: expected JSON`, {
      cause,
      hint: `such as ${flag} '{"name":"value"}'`,
    });
  }
}

function readSwitch(text: string, flag: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new UsageError(`${flag}=${quote(text)}: expected true or false`);
}

function readValue(text: string, { kind, flag }: ToolFlag): unknown {
  if (kind === 'number') return readNumber(text, flag);
  if (kind === 'boolean') return readSwitch(text, flag);
  return kind === 'json' ? readJson(text, flag) : text;
}

function unknownFlag(name: string, flags: readonly ToolFlag[]): UsageError {
  const known = [...flags.map(({ flag }) => flag), '--json', '--help'];
  const nearest = findNearest(name, known);
  return new UsageError(`unknown option ${quote(name)}`, {
    hint: nearest === null ? `options: ${known.join(', ')}` : `did you mean ${nearest}?`,
  });
}

/** `--no-x` turns a switch off. */
function findFlag(name: string, flags: readonly ToolFlag[]): { readonly flag: ToolFlag; readonly isOff: boolean } {
  const direct = flags.find(({ flag }) => flag === name);
  if (direct !== undefined) return { flag: direct, isOff: false };
  const turned = flags.find(
    ({ flag, kind, isList }) => kind === 'boolean' && !isList && name === `--no-${flag.slice(2)}`,
  );
  if (turned !== undefined) return { flag: turned, isOff: true };
  throw unknownFlag(name, flags);
}

function addTrailing(values: Map<string, unknown>, trailing: readonly string[], flags: readonly ToolFlag[]): void {
  if (trailing.length === 0) return;
  const flag = flags.find(({ field, isList }) => isList && commandFields.includes(field));
  if (flag === undefined) throw new UsageError('this tool takes no command after --');
  if (values.has(flag.field))
    throw new UsageError(`${flag.flag} and a command after -- are the same: give one of them`);
  values.set(flag.field, [...trailing]);
}

export function readFlags(
  words: readonly string[],
  trailing: readonly string[],
  flags: readonly ToolFlag[],
): ReadFlags {
  const values = new Map<string, unknown>();
  let isJson = false;
  let isHelp = false;
  for (let at = 0; at < words.length; at += 1) {
    const written = words[at] ?? '';
    if (written === '--json') isJson = true;
    else if (written === '--help' || written === '-h') isHelp = true;
    else if (!written.startsWith('--') || written === '--') {
      throw new UsageError(
        `${quote(written)} stands alone: values follow a flag such as ${flags[0]?.flag ?? '--json'}`,
      );
    } else {
      const equals = written.indexOf('=');
      const name = equals === -1 ? written : written.slice(0, equals);
      const { flag, isOff } = findFlag(name, flags);
      const isBare = flag.kind === 'boolean' && !flag.isList && equals === -1;
      if (isOff && equals !== -1) throw new UsageError(`${name} takes no value`);
      if (!isBare && equals === -1) at += 1;
      const text = equals === -1 ? words[at] : written.slice(equals + 1);
      if (!isBare && text === undefined) throw new UsageError(`${name}: the value is missing`);
      const value = isOff ? false : isBare ? true : readValue(text ?? '', flag);
      const before = values.get(flag.field);
      if (before !== undefined && !flag.isList) throw new UsageError(`${flag.flag} is given twice`);
      values.set(flag.field, flag.isList ? [...(Array.isArray(before) ? before : []), value] : value);
    }
  }
  addTrailing(values, trailing, flags);
  return { input: Object.fromEntries(values), isJson, isHelp };
}
