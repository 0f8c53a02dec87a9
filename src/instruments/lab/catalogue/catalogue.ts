import { UsageError } from '../../../base/errors.ts';
import { readRules } from '../../../base/rules-folder.ts';
import { type Depth, depths } from '../contract.ts';
import type { KindId } from '../kinds.ts';
import { type IndexGroup, indexSchema, type ToolEntry, toolFileSchema } from './schema.ts';

export const toolFiles = [
  'windows',
  'documents',
  'linux',
  'scripts',
  'java-and-android',
  'network',
  'memory',
  'shellcode',
  'general',
] as const;

/** Everything about tools of others. Read once by whoever opens the lab, and handed on. */
export interface Catalogue {
  /** Those of a lower depth first, and each depth in the order of the files. */
  readonly tools: readonly ToolEntry[];
  /** The wider index: names and one line each, for suggestions. */
  readonly groups: readonly IndexGroup[];
  readonly aliases: Readonly<Record<string, readonly string[]>>;
}

export function readCatalogue(): Catalogue {
  const tools = toolFiles.flatMap((name) => readRules(`lab/tools/${name}.json`, toolFileSchema).tools);
  const index = readRules('lab/index.json', indexSchema);
  return {
    tools: tools.toSorted((left, right) => depths.indexOf(left.depth) - depths.indexOf(right.depth)),
    groups: index.groups,
    aliases: index.aliases,
  };
}

export interface ToolChoice {
  /** Data that calls itself a program: tools for raw code are taken in as well. */
  readonly hasExecutableName?: boolean;
  /** Only what runs without words of the analyst. */
  readonly isAutomaticOnly?: boolean;
}

function isFor(entry: ToolEntry, kind: KindId, choice: ToolChoice): boolean {
  if (choice.isAutomaticOnly && !entry.isAutomatic) return false;
  if (entry.kinds === 'any' || entry.kinds.includes(kind)) return true;
  return choice.hasExecutableName === true && kind === 'data' && entry.tags.includes('data-exe');
}

/** The tools for a kind, up to and with a depth, in the order in which they tell most. */
export function toolsFor(
  catalogue: Catalogue,
  kind: KindId,
  depth: Depth,
  choice: ToolChoice = {},
): readonly ToolEntry[] {
  const most = depths.indexOf(depth);
  return catalogue.tools.filter((entry) => depths.indexOf(entry.depth) <= most && isFor(entry, kind, choice));
}

/** By id, by command (the first of those that share it), or by command without its `.py`. */
export function findTool(catalogue: Catalogue, name: string): ToolEntry | undefined {
  return (
    catalogue.tools.find((entry) => entry.id === name) ??
    catalogue.tools.find((entry) => entry.command === name) ??
    catalogue.tools.find((entry) => entry.command === `${name}.py`)
  );
}

export interface Places {
  /** Absolute: a name that begins with a dash must never be taken for an option. */
  readonly file: string;
  readonly output: string;
}

/** The whole argv, command first. Nothing in it is read by a shell, so a name can hold anything but NUL. */
export function buildArguments(entry: ToolEntry, places: Places): readonly string[] {
  for (const place of [places.file, places.output]) {
    if (!place.startsWith('/') || place.includes('\0')) throw new UsageError('tools are given absolute paths only');
  }
  const fill = (word: string): string =>
    word.replace(/\{(file|output)\}/g, (_whole, name: string) => (name === 'file' ? places.file : places.output));
  return [entry.command, ...entry.argv.map(fill)];
}

/** For people and models, who fill the places in themselves: `qpdf --decrypt <file> <output>/decrypted.pdf`. */
export function invocationOf(entry: ToolEntry): string {
  const shown = entry.argv.map((word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word}'`));
  return [entry.command, ...shown].join(' ').replaceAll('{file}', '<file>').replaceAll('{output}', '<output>');
}

export interface CheckedCommand {
  readonly command: string;
  readonly tools: readonly string[];
  readonly versionArguments: readonly string[] | null;
  readonly packages: ToolEntry['packages'];
}

/** Every command of the catalogue once, for asking which of them are there. */
export function commandsToCheck(catalogue: Catalogue): readonly CheckedCommand[] {
  const found = new Map<string, ToolEntry[]>();
  for (const entry of catalogue.tools) found.set(entry.command, [...(found.get(entry.command) ?? []), entry]);
  return [...found].map(([command, entries]) => ({
    command,
    tools: entries.map(({ id }) => id),
    versionArguments: entries.find(({ versionArguments }) => versionArguments !== undefined)?.versionArguments ?? null,
    packages: entries[0]?.packages ?? { remnux: true },
  }));
}

export interface AdditionalTool {
  readonly name: string;
  readonly description: string;
  readonly group: string;
}

/** Which groups of the index have something for a kind. */
const groupsByKind: readonly { readonly kinds: readonly KindId[]; readonly groups: readonly string[] }[] = [
  {
    kinds: ['pe'],
    groups: [
      'Examine Static Properties: PE Files',
      'Statically Analyze Code: PE Files',
      'Statically Analyze Code: Unpacking',
    ],
  },
  { kinds: ['dotnet'], groups: ['Examine Static Properties: .NET', 'Statically Analyze Code: .NET'] },
  { kinds: ['autoit', 'vbe', 'vbscript', 'javascript', 'wsf', 'hta'], groups: ['Statically Analyze Code: Scripts'] },
  {
    kinds: ['elf'],
    groups: [
      'Examine Static Properties: ELF Files',
      'Examine Static Properties: Go',
      'Dynamically Reverse-Engineer Code: ELF Files',
    ],
  },
  { kinds: ['pe', 'elf', 'macho', 'wasm'], groups: ['Statically Analyze Code: General'] },
  { kinds: ['pdf'], groups: ['Analyze Documents: PDF'] },
  { kinds: ['ole2', 'ooxml', 'office-encrypted', 'rtf', 'onenote'], groups: ['Analyze Documents: Microsoft Office'] },
  { kinds: ['eml', 'msg'], groups: ['Analyze Documents: Email Messages'] },
  { kinds: ['javascript', 'html', 'svg', 'powershell', 'hta'], groups: ['Dynamically Reverse-Engineer Code: Scripts'] },
  { kinds: ['python', 'pyc'], groups: ['Statically Analyze Code: Python'] },
  { kinds: ['jar', 'class'], groups: ['Statically Analyze Code: Java'] },
  { kinds: ['apk', 'dex'], groups: ['Statically Analyze Code: Android'] },
  { kinds: ['pcap', 'etl'], groups: ['Explore Network Interactions: Monitoring'] },
  { kinds: ['memory'], groups: ['Perform Memory Forensics'] },
  { kinds: ['shellcode'], groups: ['Dynamically Reverse-Engineer Code: Shellcode'] },
  {
    kinds: ['data', 'text', 'vbscript', 'batch', 'shell', 'perl', 'php', 'ruby', 'shellcode'],
    groups: ['Examine Static Properties: Deobfuscation'],
  },
];

const generalGroup = 'Examine Static Properties: General';

/** Names of the index for a kind that the catalogue does not run anyway. */
export function additionalTools(catalogue: Catalogue, kind: KindId): readonly AdditionalTool[] {
  const wanted = new Set(groupsByKind.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ groups }) => groups));
  if (wanted.size === 0) wanted.add(generalGroup);
  const offered = toolsFor(catalogue, kind, 'deep').flatMap(({ id, command }) => [
    id,
    command,
    command.replace(/\.py$/, ''),
  ]);
  const known = new Set(offered);
  const isKnown = (name: string): boolean =>
    known.has(name) || (catalogue.aliases[name] ?? []).some((command) => known.has(command));
  const listed = catalogue.groups.filter(({ title }) => wanted.has(title));
  const all = listed.flatMap(({ title, tools }) => tools.map((tool) => ({ ...tool, group: title })));
  return all.filter(({ name }, at) => !isKnown(name) && all.findIndex((other) => other.name === name) === at);
}
