import type { StartedTarget, TargetContext } from '../contract.ts';
import { parsePath } from '../file-format.ts';
import { isOwnerAndName, parseForgeShort, parseGitUrl, parseOwnerAndName, parseRepositoryPage } from '../git-spec.ts';
import { parseNpmSpec } from '../npm-spec.ts';
import type { Launcher, Started } from './launcher.ts';
import { allValues, lastValue, type ReadOptions, readOptions } from './options.ts';

/** What npm, pnpm, yarn and bun take where a package is named: nothing here is ambiguous to them. */
export function parseNpmArgument(text: string, context: TargetContext): StartedTarget {
  if (/^(\.{1,2}([/\\]|$)|[/\\~])/.test(text)) return parsePath(text, context);
  if (/^(git\+[a-z]+|ssh|git):\/\//.test(text)) return parseGitUrl(text);
  if (/^https:\/\//.test(text) && URL.canParse(text)) {
    const page = parseRepositoryPage(text);
    if (page !== undefined) return page;
  }
  const short = parseForgeShort(text);
  if (short !== undefined) return short;
  if (!text.startsWith('@') && isOwnerAndName(text)) return parseOwnerAndName(text, 'github.com', text);
  return parseNpmSpec(text);
}

const npxValues = [
  ...['-p', '--package', '-c', '--call', '-w', '--workspace', '--registry', '--cache', '--prefix', '--userconfig'],
  ...['--loglevel', '--shell', '--script-shell', '--node-arg', '-C', '--dir', '--cwd', '--tag', '--node-options'],
];

/** `x -p package command args`, or `x package args` when none is named. */
function startPackage(options: ReadOptions, context: TargetContext): Started | undefined {
  if (lastValue(options, '-c', '--call') !== undefined && allValues(options, '-p', '--package').length === 0) {
    return undefined;
  }
  const named = allValues(options, '-p', '--package');
  const [first, ...others] = named.length > 0 ? named : options.rest.slice(0, 1);
  if (first === undefined || first === '') return undefined;
  return {
    starts: parseNpmArgument(first, context),
    besides: others.map((other) => parseNpmArgument(other, context)),
    args: options.rest.slice(1),
  };
}

function readPackage(words: readonly string[], context: TargetContext): Started | undefined {
  return startPackage(readOptions(words, { withValue: npxValues }), context);
}

/** A subcommand that starts a package, and those that start the folder they are called in. */
function readManager(
  words: readonly string[],
  context: TargetContext,
  forPackages: readonly string[],
): Started | undefined {
  const options = readOptions(words, { withValue: npxValues });
  const [verb = '', ...rest] = options.rest;
  if (forPackages.includes(verb)) {
    const inner = readOptions(rest, { withValue: npxValues });
    const values = new Map([...inner.values]);
    const before = allValues(options, '-p', '--package');
    if (before.length > 0) values.set('-p', [...before, ...allValues(inner, '-p')]);
    return startPackage({ ...inner, values }, context);
  }
  if (verb !== 'run' && verb !== 'start' && verb !== 'run-script') return undefined;
  const folder = lastValue(options, '--prefix', '-C', '--dir', '--cwd') ?? '.';
  return { starts: parsePath(folder, context), args: rest.slice(verb === 'start' ? 0 : 1) };
}

const nodeValues = [
  ...['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions', '--title'],
  ...[
    '--inspect-port',
    '--input-type',
    '--icu-data-dir',
    '--openssl-config',
    '--redirect-warnings',
    '--stack-trace-limit',
  ],
];

/** `node [options] file args`; modules that are loaded before it count as well when they are files. */
function readScript(words: readonly string[], context: TargetContext): Started | undefined {
  const options = readOptions(words, { withValue: [...nodeValues, '-e', '--eval', '-p', '--print'] });
  const isInline = lastValue(options, '-e', '--eval', '-p', '--print') !== undefined;
  const [file, ...args] = options.rest;
  if (isInline || file === undefined || file === '-') return undefined;
  const preloaded = allValues(options, '-r', '--require', '--import', '--loader', '--experimental-loader')
    .filter((name) => /^(\.{1,2}\/|\/)/.test(name))
    .map((name) => parsePath(name, context, true));
  return { starts: parsePath(file, context, true), besides: preloaded, args };
}

/** tsx has `tsx watch file`; bun and deno have `run`. */
function readRunner(words: readonly string[], context: TargetContext): Started | undefined {
  const isVerb = words[0] === 'run' || words[0] === 'watch';
  return readScript(isVerb ? words.slice(1) : words, context);
}

function readBun(words: readonly string[], context: TargetContext): Started | undefined {
  const options = readOptions(words, { withValue: ['--cwd', '-r', '--preload', '-c', '--config', '--env-file'] });
  const [verb = '', ...rest] = options.rest;
  if (verb === 'x') return readPackage(rest, context);
  const folder = lastValue(options, '--cwd');
  const inside = folder === undefined ? context : { ...context, cwd: parsePath(folder, context).path };
  if (verb !== 'run') return verb === '' ? undefined : readScript(options.rest, inside);
  const [what = ''] = readOptions(rest, { withValue: [] }).rest;
  const isFile = /[./\\]/.test(what);
  return isFile ? readScript(rest, inside) : { starts: parsePath('.', inside), args: rest };
}

function readDeno(words: readonly string[], context: TargetContext): Started | undefined {
  const withValue = ['-c', '--config', '--import-map', '--lock', '--cert', '--location', '--seed', '--env-file', '-L'];
  const options = readOptions(words[0] === 'run' ? words.slice(1) : words, { withValue });
  const [file = '', ...args] = options.rest;
  if (file.startsWith('npm:')) {
    const [, spec = ''] = /^npm:\/?(@?[^/]+(?:(?<=@[^/]*)\/[^/]+)?)/.exec(file) ?? [];
    return { starts: parseNpmSpec(spec), args };
  }
  if (file === '' || /^[a-z]+:/i.test(file)) return undefined;
  return { starts: parsePath(file, context, true), args };
}

export const nodeLaunchers: readonly Launcher[] = [
  { names: ['npx', 'bunx', 'pnpx'], read: readPackage },
  { names: ['npm'], read: (words, context) => readManager(words, context, ['exec', 'x']) },
  { names: ['pnpm'], read: (words, context) => readManager(words, context, ['dlx', 'exec']) },
  { names: ['yarn'], read: (words, context) => readManager(words, context, ['dlx']) },
  { names: ['node'], read: readScript },
  { names: ['tsx', 'ts-node', 'nodemon'], read: readRunner },
  { names: ['bun'], read: readBun },
  { names: ['deno'], read: readDeno },
];
