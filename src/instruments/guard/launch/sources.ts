import { UsageError } from '../../../base/errors.ts';
import type { FetchContext } from '../../../targets/ingest/fetch/contract.ts';

/** Options of a launcher that say where packages come from. Overlooking one would fetch a namesake from elsewhere. */

interface SourceOption {
  readonly names: readonly string[];
  readonly of: 'npm' | 'pypi';
  /** The variable by which npm's and pip's own settings know it. */
  readonly variable: string;
}

const sourceOptions: readonly SourceOption[] = [
  { names: ['--registry'], of: 'npm', variable: 'npm_config_registry' },
  { names: ['--userconfig'], of: 'npm', variable: 'npm_config_userconfig' },
  { names: ['-i', '--index-url', '--default-index'], of: 'pypi', variable: 'PIP_INDEX_URL' },
  { names: ['--index', '--extra-index-url'], of: 'pypi', variable: 'PIP_EXTRA_INDEX_URL' },
  { names: ['-f', '--find-links'], of: 'pypi', variable: 'PIP_FIND_LINKS' },
];
const refused = [
  '--with-editable',
  '--with-requirements',
  '--overrides',
  '--constraints',
  '--pip-args',
  '--exclude-newer',
];
const ignored: Readonly<Record<string, string>> = {
  '--python': 'the Python of the system is used, whatever --python says',
  '--node-options': 'options for node before a package are left out',
  '--node-arg': 'options for node before a package are left out',
};

export interface Sources {
  readonly environment: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

function givenValue(words: readonly string[], at: number): string {
  const word = words[at] ?? '';
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals === -1 ? (words[at + 1] ?? '') : word.slice(equals + 1);
}

/** `words` are those before the program's own arguments. */
export function readSources(words: readonly string[], ecosystem: 'npm' | 'pypi'): Sources {
  const environment: Record<string, string> = {};
  const problems: string[] = [];
  for (const [at, word] of words.entries()) {
    const name = word.startsWith('--') ? (word.split('=')[0] ?? word) : word;
    const option = sourceOptions.find(({ names, of }) => of === ecosystem && names.includes(name));
    const before = option === undefined ? undefined : environment[option.variable];
    if (option !== undefined) {
      const value = givenValue(words, at);
      environment[option.variable] = before === undefined ? value : `${before} ${value}`;
    }
    if (refused.includes(name)) {
      throw new UsageError(`the option ${name} is not understood`, {
        hint: 'without it other packages would be installed than the command says; install them into a folder and start that',
      });
    }
    const problem = ignored[name];
    if (problem !== undefined && !problems.includes(problem)) problems.push(problem);
  }
  return { environment, problems };
}

export function withSources(fetch: FetchContext, { environment }: Sources): FetchContext {
  return { ...fetch, environment: { ...fetch.environment, ...environment } };
}
