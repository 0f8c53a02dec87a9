import { fileURLToPath } from 'node:url';
import { UsageError } from '../../../base/errors.ts';
import { parseCommand } from './command/parse-command.ts';
import { longestTargetText, type ParsedTarget, type TargetContext } from './contract.ts';
import { hasFileEnding, lookAt, parsePath, resolvePath } from './file-format.ts';
import {
  isOwnerAndName,
  parseForgeShort,
  parseGitUrl,
  parseOwnerAndName,
  parseRepositoryPage,
  parseScpForm,
} from './git-spec.ts';
import { parseImage } from './image-spec.ts';
import { isNpmName, parseNpmSpec } from './npm-spec.ts';
import { parsePypiSpec } from './pypi-spec.ts';
import { splitWords } from './split-words.ts';

type Read = (text: string, context: TargetContext) => ParsedTarget | undefined;

function ambiguous(text: string, alternatives: readonly string[]): UsageError {
  const listed = alternatives.length === 1 ? alternatives.join('') : `one of ${alternatives.join('  ')}`;
  return new UsageError(`${JSON.stringify(text)} can mean several things`, { hint: `write ${listed}` });
}

function existsHere(text: string, context: TargetContext): boolean {
  return lookAt(resolvePath(text, context)) !== undefined;
}

function readFileUrl(text: string): string {
  try {
    return fileURLToPath(text);
  } catch (cause) {
    throw new UsageError(`${JSON.stringify(text)} is no URL of a file`, { cause });
  }
}

function readWeb(text: string): ParsedTarget {
  if (!URL.canParse(text)) throw new UsageError(`${JSON.stringify(text)} is no URL`);
  const repository = parseRepositoryPage(text);
  if (repository !== undefined) return repository;
  const url = new URL(text);
  if (hasFileEnding(url.pathname) && !url.pathname.endsWith('.json')) {
    throw new UsageError(`${JSON.stringify(text)} is a file to download`, { hint: 'download it and give its path' });
  }
  return { kind: 'remote', url: url.href };
}

/** Texts that say themselves what they are. */
const schemes: readonly { readonly begin: RegExp; readonly read: Read }[] = [
  { begin: /^--(\s|$)/, read: (text, context) => parseCommand(splitWords(text.slice(2)), context) },
  { begin: /^npm:/, read: (text) => parseNpmSpec(text.slice('npm:'.length)) },
  { begin: /^pypi:/, read: (text) => parsePypiSpec(text.slice('pypi:'.length)) },
  { begin: /^image:/, read: (text) => parseImage(text.slice('image:'.length)) },
  { begin: /^(github|gitlab|bitbucket):/, read: parseForgeShort },
  { begin: /^(git\+[a-z]+|ssh|git):\/\//, read: parseGitUrl },
  { begin: /^file:\/\//, read: (text, context) => parsePath(readFileUrl(text), context) },
  { begin: /^https?:\/\//i, read: readWeb },
  {
    begin: /^[a-z][a-z0-9+.-]*:\/\//i,
    read: (text) => {
      throw new UsageError(`${JSON.stringify(text)}: targets of this kind are not known`);
    },
  },
  { begin: /^(\.{1,2}$|\.{0,2}[/\\]|~$|~\/|[A-Za-z]:[\\/])|[/\\]$/, read: (text, context) => parsePath(text, context) },
];

const pypiForm = /^[A-Za-z0-9][A-Za-z0-9._-]*\s*(\[|[=<>~!]=|[<>])/;

function readScoped(text: string, context: TargetContext): ParsedTarget | undefined {
  if (!text.startsWith('@')) return undefined;
  const target = parseNpmSpec(text);
  if (existsHere(text, context)) throw ambiguous(text, [`npm:${text}`, `./${text}`]);
  return target;
}

function readVersioned(text: string, context: TargetContext): ParsedTarget | undefined {
  const at = text.indexOf('@');
  if (at <= 0 || text.includes('/') || !isNpmName(text.slice(0, at))) return undefined;
  if (existsHere(text, context)) throw ambiguous(text, [`npm:${text}`, `./${text}`]);
  return parseNpmSpec(text);
}

function readFileName(text: string, context: TargetContext): ParsedTarget | undefined {
  return hasFileEnding(text) ? parsePath(text, context) : undefined;
}

function readOwnerAndName(text: string, context: TargetContext): ParsedTarget | undefined {
  if (!isOwnerAndName(text)) return undefined;
  if (existsHere(text, context)) throw ambiguous(text, [`github:${text}`, `./${text}`]);
  return parseOwnerAndName(text, 'github.com', text);
}

function readBareName(text: string, context: TargetContext): ParsedTarget {
  const isHere = existsHere(text, context);
  if (text.includes('/') || text.includes('\\')) return parsePath(text, context);
  const isName = isNpmName(text);
  const alternatives = [...(isName ? [`npm:${text}`, `pypi:${text}`] : []), ...(isHere ? [`./${text}`] : [])];
  if (alternatives.length > 0) throw ambiguous(text, alternatives);
  throw new UsageError(`${JSON.stringify(text)} is no target`, {
    hint: 'a target is a path, npm:name@version, pypi:name==version, owner/name, git+https://…, a URL or -- command args',
  });
}

/** Texts whose form decides, in this order. */
const forms: readonly Read[] = [
  parseScpForm,
  (text) => (pypiForm.test(text) ? parsePypiSpec(text) : undefined),
  readScoped,
  readVersioned,
  readFileName,
  readOwnerAndName,
  readBareName,
];

/**
 * What a text means, or a UsageError that says how to write what could have been meant. Nothing is guessed: a name that
 * exists here as a file and could be a package as well is an error.
 */
export function parseTarget(text: string, context: TargetContext): ParsedTarget {
  const given = text.trim();
  if (given === '') throw new UsageError('the target is empty');
  if (given.length > longestTargetText)
    throw new UsageError(`the target is longer than ${longestTargetText} characters`);
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(given)) {
    throw new UsageError(`the target ${JSON.stringify(given)} holds characters that cannot be seen`);
  }
  const scheme = schemes.find(({ begin }) => begin.test(given));
  const readers = scheme === undefined ? forms : [scheme.read];
  for (const read of readers) {
    const target = read(given, context);
    if (target !== undefined) return target;
  }
  throw new UsageError(`${JSON.stringify(given)} is no target`);
}

/** How a target is written, so that parseTarget reads the same again. */
export function describeTarget(target: ParsedTarget): string {
  switch (target.kind) {
    case 'folder':
    case 'file':
      return target.path;
    case 'npm':
      return `npm:${target.name}@${target.wanted.value}`;
    case 'pypi':
      return `pypi:${target.name}${target.extras.length > 0 ? `[${target.extras.join(',')}]` : ''}${target.specifier}`;
    case 'git':
      return describeGit(target.url, target.ref, target.folder);
    case 'remote':
      return target.url;
    case 'image':
      return `image:${target.reference}`;
    case 'command':
      return `-- ${target.argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')}`;
  }
}

function describeGit(url: string, ref: string | undefined, folder: string | undefined): string {
  const begin = URL.canParse(url) && /^[a-z]+:\/\//.test(url) ? `git+${url}` : url;
  if (folder === undefined) return ref === undefined ? begin : `${begin}#${ref}`;
  return `${begin}${ref === undefined ? '' : `@${ref}`}#subdirectory=${folder}`;
}
