import { secondMs } from '../../../base/limits.ts';
import type { ToolAnnotations, ToolDefinition, Toolset } from '../../tools/contract.ts';
import { outputSchemaOf } from '../../tools/schemas.ts';
import { formatBytes, renderRows, type Terminal, wrap } from '../terminal/index.ts';
import { describeDefault, describeValue, flagOf, flagsOf, type ToolFlag } from './flags.ts';

/** What is said about tools: the list of them, and everything about one. */

/** As a shell reads the word back. */
export function quoteWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A field of an input as flags. */
export function wordsOf([field, value]: readonly [string, unknown]): readonly string[] {
  const flag = flagOf(field);
  if (value === true) return [flag];
  if (value === false) return [`--no-${flag.slice(2)}`];
  // A list of objects is one value, written as JSON.
  const isPlain = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  const texts = (isPlain ? value : [value]).map((each) =>
    typeof each === 'object' ? JSON.stringify(each) : String(each),
  );
  // A value that looks like a flag is tied to its own.
  return texts.flatMap((text) => (text.startsWith('-') ? [`${flag}=${text}`] : [flag, text]));
}

export function exampleLine(name: string, input: object): string {
  return ['hotcell tool', name, ...Object.entries(input).flatMap(wordsOf).map(quoteWord)].join(' ');
}

export function describeAnnotations({ readOnly, destructive, idempotent, openWorld }: ToolAnnotations): string {
  return [
    readOnly ? 'changes nothing' : destructive ? 'may end or overwrite something' : 'adds something, removes nothing',
    openWorld ? 'reaches other machines' : 'stays on this machine',
    idempotent ? 'twice is the same as once' : 'every call counts',
  ].join('; ');
}

export function renderToolList(toolsets: readonly Toolset[], { style, width }: Terminal): string {
  const parts = toolsets.map(({ id, title, tools }) => {
    const rows = tools.map((tool) => [style.code(tool.name), tool.title]);
    return `${style.strong(id)}  ${title}\n${renderRows(rows, { width })}`;
  });
  return `${parts.join('\n')}\nhotcell tool NAME --help says more about one.\n`;
}

function flagRow(flag: ToolFlag, { style }: Terminal): readonly string[] {
  const usual = describeDefault(flag);
  const notes = [
    ...(flag.isRequired ? ['needed'] : []),
    describeValue(flag),
    ...(usual === null ? [] : [`default ${usual}`]),
  ];
  return [style.code(flag.flag), `${flag.schema.description ?? ''} (${notes.join('; ')})`.trim()];
}

export function renderToolHelp(definition: ToolDefinition, terminal: Terminal): string {
  const { name, title, description, annotations, limits, examples } = definition;
  const { style, width } = terminal;
  const flags = flagsOf(definition).map((flag) => flagRow(flag, terminal));
  const own = [
    [style.code('--json'), 'the structured answer on stdout'],
    [style.code('-h, --help'), 'this'],
  ];
  const lines = examples.map(({ input, says }) => [style.code(exampleLine(name, input)), says]);
  return [
    `${style.strong('Usage:')} hotcell tool ${name} [flags]\n`,
    `${style.strong(title)}\n${wrap(description, Math.min(width, 100)).join('\n')}\n`,
    `${style.strong('Flags:')}\n${renderRows([...flags, ...own], { width })}`,
    `${style.strong('Examples:')}\n${renderRows(lines, { width })}`,
    `${style.strong('It')} ${describeAnnotations(annotations)}; at most ${limits.timeoutMs / secondMs} s and ${formatBytes(limits.outputBytes)} of answer.\n`,
    `${style.strong('Answer with --json:')}\n${JSON.stringify(outputSchemaOf(definition), null, 2)}\n`,
  ].join('\n');
}
