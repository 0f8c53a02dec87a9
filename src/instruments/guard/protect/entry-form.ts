import { isRecord, type ServerNode } from '../../../targets/ingest/client-config/shapes.ts';
import { isPlainCommand, splitWords } from '../../../targets/ingest/target/split-words.ts';
import type { Keys } from './contract.ts';

/** How an entry says what is started. The same readings as for looking at it, with the place of each part. */

export type EntryForm =
  /** A program and its arguments apart; or everything in the place of the program, where a client splits that. */
  | {
      readonly is: 'apart';
      readonly words: readonly string[];
      /** How many of the words stand where the program is named. */
      readonly inProgram: number;
      readonly programKeys: Keys;
      /** Null where there is no list of arguments. */
      readonly argsKeys: Keys | null;
      readonly table: Keys;
      readonly programKey: string;
    }
  /** Everything in one list. */
  | { readonly is: 'list'; readonly words: readonly string[]; readonly keys: Keys }
  | { readonly is: 'remote' }
  | { readonly is: 'unknown'; readonly why: string };

type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function isLine(command: string, args: readonly unknown[]): boolean {
  return args.length === 0 && /\s/.test(command) && !/^[/\\~]|^[A-Za-z]:/.test(command);
}

function apart(table: Keys, fields: Fields, programKey: string, program: string): EntryForm {
  const { args } = fields;
  if (args !== undefined && args !== null && !Array.isArray(args)) {
    return { is: 'unknown', why: 'its arguments are no list' };
  }
  if (args === null) return { is: 'unknown', why: 'its arguments are empty in a way that is no list' };
  const list: readonly unknown[] = args ?? [];
  const isWhole = isLine(program, list);
  if (isWhole && !isPlainCommand(program)) return { is: 'unknown', why: 'its command is a line for a shell' };
  const own = isWhole ? splitWords(program) : [program];
  const argsKeys = args === undefined ? null : [...table, 'args'];
  const words = [...own, ...list.map(String)];
  return {
    is: 'apart',
    words,
    inProgram: own.length,
    programKeys: [...table, programKey],
    argsKeys,
    table,
    programKey,
  };
}

/** Some clients say everything one level down. What is said on both levels is not ours to decide. */
function levelOf({ keys, value }: ServerNode): { readonly keys: Keys; readonly fields: Fields } | null {
  const { transport } = value;
  if (!isRecord(transport)) return { keys, fields: value };
  const isBelow = ['command', 'cmd', 'args'].some((key) => Object.hasOwn(transport, key));
  const isHere = ['command', 'cmd', 'args'].some((key) => Object.hasOwn(value, key));
  if (isBelow && isHere) return null;
  return isBelow ? { keys: [...keys, 'transport'], fields: transport } : { keys, fields: value };
}

export function readForm(node: ServerNode): EntryForm {
  const level = levelOf(node);
  if (level === null) return { is: 'unknown', why: 'its command is written on two levels' };
  const { keys, fields } = level;
  const { command } = fields;
  if (Array.isArray(command)) return { is: 'list', words: command.map(String), keys: [...keys, 'command'] };
  if (isRecord(command)) {
    const key = isText(command.path) ? 'path' : 'command';
    const program = command[key];
    if (isText(program)) return apart([...keys, 'command'], command, key, program);
    return { is: 'unknown', why: 'its command names no program' };
  }
  if (isText(command)) return apart(keys, fields, 'command', command);
  if (isText(fields.cmd)) return apart(keys, fields, 'cmd', fields.cmd);
  const isRemote = ['url', 'serverUrl', 'httpUrl', 'uri'].some((key) => isText(fields[key]) || isText(node.value[key]));
  return isRemote ? { is: 'remote' } : { is: 'unknown', why: 'it names no command: the client starts it by itself' };
}
