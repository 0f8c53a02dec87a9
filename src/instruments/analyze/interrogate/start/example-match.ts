import { basename } from 'node:path';
import { parseCommand } from '../../../../targets/ingest/target/command/parse-command.ts';
import type { LaunchFacts } from './contract.ts';
import type { Program } from './programs.ts';
import type { StartExample } from './readme.ts';

/** What an example gives to the server itself, where it is this server that the example starts. */

const plain = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

function ownName(word: string): string {
  return word
    .replace(/(?<=.)@[^/@]*$/, '')
    .replace(/\[[^\]]*\]$/, '')
    .replace(/==.*$/, '');
}

/** The words after the one that names the server; null when none does. */
function afterName(words: readonly string[], names: ReadonlySet<string>): readonly string[] | null {
  const at = words.findLastIndex(
    (word) => names.has(plain(ownName(word))) || names.has(plain(basename(ownName(word)))),
  );
  return at === -1 ? null : words.slice(at + 1);
}

export function ownArguments(
  { command, args }: StartExample,
  facts: Pick<LaunchFacts, 'name'>,
  programs: readonly Program[],
): readonly string[] | null {
  if (command === '' || /^(?:docker|podman)$/.test(basename(command))) return null;
  const words = /^cmd(?:\.exe)?$/i.test(command) ? args.slice(1) : [command, ...args];
  const files = programs.flatMap(({ file }) => (file === undefined ? [] : [basename(file)]));
  const names = new Set([facts.name, ...programs.map(({ name }) => name)].map(plain));
  try {
    const { starts, args: own } = parseCommand(words, { cwd: '/' });
    if ((starts.kind === 'npm' || starts.kind === 'pypi') && plain(starts.name) === plain(facts.name)) return own;
    if (starts.kind === 'file' && files.includes(basename(starts.path))) return own;
  } catch {
    // A command that is not understood may still name the server.
  }
  // The last of the first few words: `npx -p @scope/name name` starts the second.
  const head = words.slice(0, 8);
  const after = afterName(head, names) ?? afterName(head, new Set(files.map(plain)));
  return after === null ? null : [...after, ...words.slice(8)];
}
