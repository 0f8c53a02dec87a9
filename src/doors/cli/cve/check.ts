import { exitCodes, UsageError } from '../../../base/errors.ts';
import { type CommandCheck, checkCommand } from '../../../instruments/guard/command-shapes/index.ts';
import type { Door } from '../definition.ts';
import { formatJson, type Terminal, wrap } from '../terminal/index.ts';

export interface CheckWishes {
  readonly line?: string | undefined;
  readonly json: boolean;
}

export function renderCheck(
  { isExploitable, shapes, notes }: CommandCheck,
  { style, symbols, width }: Terminal,
): string {
  const lines = [
    isExploitable ? style.bad(`${symbols.bad} exploitable`) : style.good(`${symbols.good} no known exploitable shape`),
  ];
  for (const { id, title, where, why, cve } of shapes) {
    const known = cve.length === 0 ? '' : ` (${cve.join(', ')})`;
    lines.push('', `  ${style.strong(id)}: ${title}${known}`, `    ${style.code(where)}`);
    lines.push(...wrap(why, width - 4).map((line) => `    ${line}`));
  }
  if (notes.length > 0) lines.push('', ...notes.map((note) => `  ${style.warn(symbols.warn)} ${note}`));
  return `${lines.join('\n')}\n`;
}

export async function runCheck(wishes: CheckWishes, words: readonly string[], door: Door): Promise<number> {
  const { line, json } = wishes;
  if ((line === undefined) === (words.length === 0)) {
    throw new UsageError(line === undefined ? 'no command was given' : '--line and words do not go together', {
      hint: 'hotcell cve check -- COMMAND…, or hotcell cve check --line TEXT',
    });
  }
  const check = checkCommand(line ?? words);
  door.stdout.write(json ? formatJson(check) : renderCheck(check, door.terminal));
  return check.isExploitable ? exitCodes.findings : exitCodes.clean;
}
