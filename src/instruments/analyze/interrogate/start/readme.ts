import { findNodeAtLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { asObject, asString, asStrings, entriesOf } from '../../../../base/json-shape.ts';

/** How a README says that the server is started: the examples for clients, and lines for a shell. */

export interface StartExample {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly from: 'config' | 'shell';
}

const largestText = 512 * 1024;
const mostExamples = 64;
const mostBlocks = 400;
const mostArguments = 64;
const deepest = 64;

/** Fenced blocks of a Markdown text, without their fences. */
export function codeBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let open: { readonly fence: string; readonly lines: string[] } | null = null;
  for (const line of text.slice(0, largestText).split(/\r?\n/)) {
    const fence = /^\s*(?:>\s*)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (open === null) {
      if (fence !== undefined) open = { fence, lines: [] };
    } else if (fence?.startsWith(open.fence) === true) {
      blocks.push(open.lines.join('\n'));
      open = null;
      if (blocks.length >= mostBlocks) break;
    } else open.lines.push(line);
  }
  return blocks;
}

function exampleOf(value: unknown): StartExample | null {
  const entry = asObject(value);
  const command = Array.isArray(entry.command) ? asStrings(entry.command)[0] : asString(entry.command);
  const url = asString(entry.url) ?? asString(entry.serverUrl);
  if (command === undefined && url === undefined) return null;
  const listed = Array.isArray(entry.command) ? asStrings(entry.command).slice(1) : asStrings(entry.args);
  const variables = entriesOf(entry.env ?? entry.environment).flatMap(([name, content]): [string, string][] =>
    /^[A-Za-z_]\w{0,199}$/.test(name) && ['string', 'number', 'boolean'].includes(typeof content)
      ? [[name, String(content)]]
      : [],
  );
  return {
    command: command ?? '',
    args: listed.slice(0, mostArguments),
    environment: Object.fromEntries(variables),
    ...(url === undefined ? {} : { url }),
    from: 'config',
  };
}

/** Every object with a command in a document, wherever it lies: clients nest them differently. */
function findExamples(root: Node): readonly StartExample[] {
  const found: StartExample[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.shift(); node !== undefined && found.length < mostExamples; node = waiting.shift()) {
    if (node.type === 'object' && (findNodeAtLocation(node, ['command']) ?? findNodeAtLocation(node, ['url']))) {
      const example = exampleOf(getNodeValue(node));
      if (example !== null) found.push(example);
    }
    if (waiting.length < 10_000) waiting.push(...(node.children ?? []));
  }
  return found;
}

/** The parser goes down with every bracket, and a text may have any number of them. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Documentation leaves out the outer braces as often as not. */
function parseBlock(block: string): readonly StartExample[] {
  const start = block.search(/["{]/);
  if (start === -1 || !/"(?:command|url|serverUrl)"/.test(block) || isTooDeep(block)) return [];
  const text = block.slice(start);
  const whole = text.startsWith('{') ? text : `{${text}}`;
  const options = { allowTrailingComma: true, disallowComments: false };
  const tree = parseTree(whole, [], options);
  return tree === undefined ? [] : findExamples(tree);
}

const launchers = /^(?:npx|bunx|uvx|node|python3?|uv|pipx|pnpm|bun|deno)$/;
const assignment = /^([A-Za-z_]\w{0,199})=(.*)$/s;

/** Words of one line; quotes keep what is inside together. */
export function splitLine(line: string): readonly string[] {
  const words = line.slice(0, 2000).match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.slice(0, mostArguments).map((word) => word.replace(/["']/g, ''));
}

function readLine(line: string): StartExample | null {
  const words = [...splitLine(line.replace(/^\s*(?:\$|>|#)\s+/, ''))];
  const variables: [string, string][] = [];
  for (let pair = assignment.exec(words[0] ?? ''); pair !== null; pair = assignment.exec(words[0] ?? '')) {
    variables.push([pair[1] ?? '', pair[2] ?? '']);
    words.shift();
  }
  const end = words.findIndex((word) => /^(?:[|&;<>]|&&|\|\|)/.test(word));
  const [command = '', ...args] = end === -1 ? words : words.slice(0, end);
  if (!launchers.test(command)) return null;
  return { command, args, environment: Object.fromEntries(variables), from: 'shell' };
}

function readShell(block: string): readonly StartExample[] {
  return block
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .slice(0, 200)
    .map(readLine)
    .filter((example) => example !== null);
}

/** Configs first: they are what a client runs, while a line for a shell may set up something else. */
export function readExamples(text: string): readonly StartExample[] {
  const blocks = codeBlocks(text);
  const configs = blocks.flatMap(parseBlock);
  const lines = blocks.filter((block) => !block.includes('"command"')).flatMap(readShell);
  return [...configs, ...lines].slice(0, mostExamples);
}
