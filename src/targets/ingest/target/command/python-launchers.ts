import { join } from 'node:path';
import { UsageError } from '../../../../base/errors.ts';
import type { StartedTarget, TargetContext } from '../contract.ts';
import { lookAt, parsePath } from '../file-format.ts';
import { parseGitUrl } from '../git-spec.ts';
import { normalisePypiName, parsePypiSpec, parseUvxSpec } from '../pypi-spec.ts';
import type { Launcher, Started } from './launcher.ts';
import { allValues, lastValue, readOptions } from './options.ts';

/** What pip and uv take where a package is named: a requirement, `name @ url`, a repository, a path. */
function parsePipArgument(text: string, context: TargetContext, isCommand = false): StartedTarget {
  const direct = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\[[^\]]*\])?\s*@\s*((?:git\+|https?:|file:).*)$/.exec(text);
  const address = direct?.[1] ?? text;
  if (/^git\+[a-z]+:\/\//.test(address)) return parseGitUrl(address);
  if (/^(\.{1,2}([/\\]|$)|[/\\~])/.test(address)) return parsePath(address, context);
  return isCommand ? parseUvxSpec(address) : parsePypiSpec(address);
}

const uvValues = [
  ...[
    '--from',
    '--with',
    '-w',
    '--with-editable',
    '--with-requirements',
    '-p',
    '--python',
    '--index',
    '--default-index',
  ],
  ...['-i', '--index-url', '--extra-index-url', '-f', '--find-links', '--cache-dir', '--directory', '--project'],
  ...['--config-file', '--env-file', '-c', '--constraints', '--overrides', '--index-strategy', '--keyring-provider'],
  ...['--resolution', '--prerelease', '--fork-strategy', '-C', '--config-setting', '--exclude-newer', '--link-mode'],
  ...['--refresh-package', '-P', '--upgrade-package', '--reinstall-package', '--no-build-package', '--color'],
  ...['--no-binary-package', '--allow-insecure-host', '--python-preference', '--torch-backend', '--extra', '--group'],
  ...['--package', '--only-group', '--no-group', '--python-platform'],
];

function readUvx(words: readonly string[], context: TargetContext): Started | undefined {
  const options = readOptions(words, { withValue: uvValues });
  const [command, ...args] = options.rest;
  const from = lastValue(options, '--from');
  const named = from ?? command;
  if (named === undefined || named === '') return undefined;
  const besides = allValues(options, '--with', '-w').flatMap((list) => list.split(','));
  return {
    starts: parsePipArgument(named, context, true),
    besides: besides.filter((one) => one !== '').map((one) => parsePipArgument(one, context)),
    args,
  };
}

/** `uv [--directory d] run [--with x] file.py|entry point`: an entry point belongs to the project in the folder. */
function readUv(words: readonly string[], context: TargetContext): Started | undefined {
  const options = readOptions(words, { withValue: uvValues });
  const [verb = '', ...rest] = options.rest;
  if (verb === 'tool' && rest[0] === 'run') return readUvx(rest.slice(1), context);
  if (verb !== 'run') return undefined;
  const inner = readOptions(rest, { withValue: [...uvValues, '-m', '--module'] });
  const folder = lastValue(inner, '--directory', '--project') ?? lastValue(options, '--directory', '--project');
  const inside = folder === undefined ? context : { ...context, cwd: parsePath(folder, context).path };
  const [what = '', ...args] = inner.rest;
  const isPython = /^python[\d.]*$/.test(what);
  const besides = allValues(inner, '--with', '-w').flatMap((list) => list.split(','));
  return {
    starts: isPython ? (readPython(args, inside)?.starts ?? parsePath('.', inside)) : startInProject(what, inside),
    besides: besides.filter((one) => one !== '').map((one) => parsePipArgument(one, inside)),
    args,
  };
}

function startInProject(what: string, context: TargetContext): StartedTarget {
  const isFile = what !== '' && (what.endsWith('.py') || what.includes('/'));
  return parsePath(isFile ? what : '.', context, isFile);
}

function readPipx(words: readonly string[], context: TargetContext): Started | undefined {
  const outer = readOptions(words, { withValue: [] });
  if (outer.rest[0] !== 'run') return undefined;
  const withValue = ['--spec', '--python', '--pip-args', '-i', '--index-url', '--with', '--fetch-missing-python'];
  const options = readOptions(outer.rest.slice(1), { withValue });
  const named = lastValue(options, '--spec') ?? options.rest[0];
  return named === undefined ? undefined : { starts: parsePipArgument(named, context), args: options.rest.slice(1) };
}

/** A module is a file here, or something that is installed under a name that the module does not tell. */
function startModule(module: string, context: TargetContext): StartedTarget {
  const path = join(context.cwd, ...module.split('.'));
  for (const candidate of [`${path}.py`, path]) {
    if (lookAt(candidate) !== undefined) return parsePath(candidate, context);
  }
  const likely = normalisePypiName(module.split('.')[0] ?? module);
  throw new UsageError(
    `python -m ${module}: no such module here, and a module does not tell which package it is from`,
    {
      hint: `if it is installed from the package ${likely}, write pypi:${likely}`,
    },
  );
}

function readPython(words: readonly string[], context: TargetContext): Started | undefined {
  const module = words.indexOf('-m');
  const before = readOptions(module === -1 ? words : words.slice(0, module), { withValue: ['-W', '-X', '-c'] });
  if (lastValue(before, '-c') !== undefined) return undefined;
  const [file, ...args] = before.rest;
  if (file !== undefined) return file === '-' ? undefined : { starts: parsePath(file, context, true), args };
  const name = words[module + 1];
  if (module === -1 || name === undefined || !/^[A-Za-z_][\w.]*$/.test(name)) return undefined;
  return { starts: startModule(name, context), args: words.slice(module + 2) };
}

export const pythonLaunchers: readonly Launcher[] = [
  { names: ['uvx'], read: readUvx },
  { names: ['uv'], read: readUv },
  { names: ['pipx'], read: readPipx },
  { names: ['python', 'pypy'], read: readPython },
];
