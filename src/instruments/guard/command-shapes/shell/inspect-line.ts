import { noteVariable } from '../argv/hand-over.ts';
import type { Look } from '../argv/look.ts';
import { baseName, shapeRules } from '../rules.ts';
import type { ParsedLine, ShellWord, SimpleCommand } from './contract.ts';
import { parseLine } from './parse-line.ts';

/** Looks at a line as a shell would: what it runs besides the one command that a launch is about. */

/** Folders whose owner is whoever runs the line. */
const ownFolder =
  /^\$\{?(?:HOME|PWD|OLDPWD|VIRTUAL_ENV|CONDA_PREFIX|NVM_BIN|NVM_DIR|APPDATA|LOCALAPPDATA|USERPROFILE)\}?[/\\]/;
const declaring = new Set(['export', 'declare', 'typeset', 'local', 'readonly', 'setenv']);

function nameOf({ words }: SimpleCommand): string {
  return baseName(words[0]?.value ?? '');
}

function valuesOf({ assignments, words }: SimpleCommand): readonly string[] {
  return [...assignments, ...words].map(({ value }) => value);
}

function isOnlyReading(inner: string): boolean {
  const { commands } = parseLine(inner);
  return commands.every((command) => command.words.length === 0 || shapeRules.readers.includes(nameOf(command)));
}

/** Every text in a command that is run to make a word of it. */
function innerOf({ assignments, words, redirections }: SimpleCommand): readonly string[] {
  const bodies = redirections.flatMap(({ body, target }) =>
    // A quoted mark keeps the shell from looking into the text.
    body === undefined || target.kinds.includes('q') ? [] : parseLine(`: "${body.replaceAll('"', '')}"`).commands,
  );
  const inBodies = bodies.flatMap((command) => command.words.flatMap(({ inner }) => inner));
  const all = [...assignments, ...words, ...redirections.map(({ target }) => target)];
  return [...all.flatMap(({ inner }) => inner), ...inBodies];
}

/** `$(which node)` is node. Any other output of a command may be the name of anything. */
const lookUp = /^\s*(?:which|command\s+-v|type\s+-P)\s+([\w.+/-]+)\s*$/;

function lookedUp({ value, kinds, inner }: ShellWord): string | undefined {
  const isWhole = inner.length === 1 && /^v+$/.test(kinds) && /^(?:\$\(…\)|`…`)$/.test(value);
  return isWhole ? lookUp.exec(inner[0] ?? '')?.[1] : undefined;
}

function checkName(word: ShellWord, command: SimpleCommand, look: Look): void {
  const { value, kinds } = word;
  const shown = [...look.way, ...valuesOf(command)];
  if (kinds.includes('v') && !ownFolder.test(value) && lookedUp(word) === undefined) {
    look.found.hit('command-from-variable', shown);
  }
  const isPattern = Array.from(kinds, (kind, at) => kind === 'b' && /[*?[]/.test(value[at] ?? '')).includes(true);
  if (isPattern && value !== '[' && value !== '[[') look.found.hit('command-from-pattern', shown);
}

function checkInner(command: SimpleCommand, look: Look): void {
  for (const inner of innerOf(command)) {
    const way = [...look.way, ...valuesOf(command)].slice(0, 8);
    if (isOnlyReading(inner)) look.found.note('the output of this becomes part of the line', [inner]);
    else look.found.hit('command-substitution', [...way, inner]);
    look.line(inner, way);
  }
}

/** The command before it in the pipe, and those before that one. */
function sourcesOf({ commands }: ParsedLine, command: SimpleCommand): readonly SimpleCommand[] {
  const sources: SimpleCommand[] = [];
  for (let at = command.readsFrom; at !== null && sources.length < commands.length; ) {
    const source: SimpleCommand | undefined = commands[at];
    if (source === undefined) break;
    sources.push(source);
    at = source.readsFrom;
  }
  return sources;
}

const isDownload = (command: SimpleCommand): boolean =>
  command.words.some(({ value }) => shapeRules.downloaders.includes(baseName(value)));

function checkDownload(line: ParsedLine, command: SimpleCommand, look: Look): void {
  const piped = sourcesOf(line, command).find(isDownload);
  const inside = innerOf(command).find((inner) => parseLine(inner).commands.some(isDownload));
  if (piped !== undefined) look.found.hit('download-and-run', [...valuesOf(piped), '|', ...valuesOf(command)]);
  else if (inside !== undefined) look.found.hit('download-and-run', [...valuesOf(command), inside]);
}

function inspectCommand(line: ParsedLine, command: SimpleCommand, look: Look): void {
  const [first, ...rest] = command.words;
  for (const { value } of command.assignments) noteVariable(value, [...look.way, value], look);
  checkInner(command, look);
  if (first === undefined) return;
  checkName(first, command, look);
  if (declaring.has(first.value)) for (const { value } of rest) noteVariable(value, [first.value, value], look);
  if (command.words.some(({ variables }) => variables.includes('IFS'))) {
    look.found.hit('disguise', valuesOf(command), 'a variable stands where a blank should, so that words are not seen');
  }
  const before = look.found.count('script-from-stdin') + look.found.count('evaluated-text');
  const inputs = command.words.some(({ value }) => value.startsWith('<('));
  look.words(
    [lookedUp(first) ?? first.value, ...rest.map(({ value }) => (value.startsWith('<(') ? '/dev/fd/63' : value))],
    look.way,
  );
  const isRun = look.found.count('script-from-stdin') + look.found.count('evaluated-text') > before;
  if (isRun || inputs) checkDownload(line, command, look);
  if (isRun) for (const { body } of command.redirections) if (body !== undefined) look.line(body, look.way);
}

function checkCompany({ commands }: ParsedLine, look: Look): void {
  const named = commands.filter(({ words }) => words.length > 0);
  const programs = named.filter((command) => !shapeRules.companions.includes(nameOf(command)));
  const [, second] = programs;
  if (second !== undefined) look.found.hit('second-command', [...look.way, ...valuesOf(second)]);
  else if (named.length > 1) look.found.note('the line needs a shell to be read');
}

function noteVariables({ commands }: ParsedLine, look: Look): void {
  const names = new Set(commands.flatMap(({ words }) => words.flatMap(({ variables }) => variables)));
  if (names.size > 0) look.found.note(`filled in by the shell: ${[...names].slice(0, 8).join(', ')}`);
}

export function inspectLine(text: string, look: Look): void {
  const line = parseLine(text);
  for (const problem of line.problems) {
    if (problem.startsWith('more')) look.found.hit('not-understood', [text.slice(0, 80)]);
    else look.found.note(problem);
  }
  checkCompany(line, look);
  noteVariables(line, look);
  for (const command of line.commands) inspectCommand(line, command, look);
}
