import { expandBraces } from './braces.ts';
import { mostCommands, type ParsedLine, type Redirection, type ShellWord, type SimpleCommand } from './contract.ts';
import { readTokens } from './tokens.ts';

/** The commands of a line. Loops and conditions are looked through: whatever may be run is a command here. */

const keywords = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'while',
  'until',
  'do',
  'done',
  '{',
  '}',
  '!',
  'esac',
  'time',
]);
/** What follows these up to the next operator are words and no command. */
const listKeywords = new Set(['for', 'select', 'case']);
const functionKeyword = new Set(['function']);
const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
const windowsPath = /^\s*"?(?:[A-Za-z]:\\|%[A-Za-z]+%\\|[\w.\\ -]*\\[\w.-]+\.(?:exe|cmd|bat))/i;

function isKeyword({ value, kinds }: ShellWord, names: ReadonlySet<string>): boolean {
  return names.has(value) && !kinds.includes('q');
}

function isAssignment({ value, kinds }: ShellWord): boolean {
  const found = assignment.exec(value);
  return found !== null && /^b*$/.test(kinds.slice(0, found[0].length));
}

/** Behind keywords, and behind the name of a function that is declared here. */
function commandStart(words: readonly ShellWord[]): number {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (isKeyword(word, functionKeyword)) at += 1;
    else if (!isKeyword(word, keywords)) return at;
  }
  return words.length;
}

function toCommand(
  words: readonly ShellWord[],
  redirections: readonly Redirection[],
  readsFrom: number | null,
): SimpleCommand | null {
  const from = commandStart(words);
  const first = words[from];
  const isList = first !== undefined && isKeyword(first, listKeywords);
  const rest = isList ? [] : words.slice(from);
  const start = rest.findIndex((word) => !isAssignment(word));
  const assignments = start === -1 ? rest : rest.slice(0, start);
  const own = start === -1 ? [] : rest.slice(start).flatMap((word) => [...expandBraces(word)]);
  // The words of a list are expanded too, and may run commands on the way.
  const looked = isList ? words.slice(from).filter(({ inner }) => inner.length > 0) : [];
  if (own.length === 0 && assignments.length === 0 && redirections.length === 0 && looked.length === 0) return null;
  return { assignments: [...assignments, ...looked], words: own, redirections, readsFrom };
}

export function parseLine(text: string): ParsedLine {
  const { tokens, problems } = readTokens(text, { isWindows: windowsPath.test(text.slice(0, 512)) });
  const commands: SimpleCommand[] = [];
  let words: ShellWord[] = [];
  let redirections: Redirection[] = [];
  let readsFrom: number | null = null;
  const finish = (operator: string): void => {
    const command = toCommand(words, redirections, readsFrom);
    if (command !== null && commands.length < mostCommands) commands.push(command);
    readsFrom = operator.startsWith('|') && operator !== '||' && commands.length > 0 ? commands.length - 1 : null;
    words = [];
    redirections = [];
  };
  for (const token of tokens) {
    if (token.is === 'word') words.push(token.word);
    else if (token.is === 'redirection') redirections.push(token.redirection);
    else finish(token.text);
  }
  finish(';');
  const all = commands.length < mostCommands ? problems : [...problems, 'more commands than are read'];
  return { commands, problems: [...new Set(all)] };
}
