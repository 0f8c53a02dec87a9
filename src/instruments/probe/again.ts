import { z } from 'zod';
import type { Again, ScannerDefinition } from './contract.ts';

/** The command line of a scan, for whoever wants to see for themselves. */

const longestCommand = 4096;

/** One word of a command line for people. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function flagWords(field: string, value: unknown): readonly string[] {
  const flag = `--${field.replaceAll('_', '-')}`;
  if (typeof value === 'boolean') return value ? [flag] : [];
  return [value].flat().flatMap((each) => [flag, String(each)]);
}

/** With every argument of the scan that is not the usual one; `changes` narrow it down to one finding. */
export function againOf(
  { command, positional, input: schema }: Pick<ScannerDefinition, 'command' | 'positional' | 'input'>,
  input: Readonly<Record<string, unknown>>,
): Again {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  const usual = (field: string): unknown => {
    const described = properties[field];
    return typeof described === 'object' ? described.default : undefined;
  };
  return (changes = {}) => {
    const given = Object.entries({ ...input, ...changes });
    const flags = given.flatMap(([field, value]) => {
      const isUsual = value === undefined || JSON.stringify(value) === JSON.stringify(usual(field));
      return field === positional || isUsual ? [] : flagWords(field, value);
    });
    const target = given.find(([field]) => field === positional)?.[1] ?? '';
    const words = ['hotcell', 'probe', command, String(target), ...flags, '--scope', 'scope.json'];
    return words.map(shellWord).join(' ').slice(0, longestCommand);
  };
}
