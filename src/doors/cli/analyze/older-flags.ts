import { UsageError } from '../../../base/errors.ts';

/** Flags of other tools that say where a target is; their words become targets as they are written here. */
export interface OlderFlags {
  readonly serverUrl?: string | undefined;
  readonly sourceType?: string | undefined;
  readonly ref?: string | undefined;
}

const kinds: Readonly<Record<string, (word: string, ref: string | undefined) => string>> = {
  local: (word) => (/^[./~]/.test(word) ? word : `./${word}`),
  npm: (word) => (word.startsWith('npm:') ? word : `npm:${word}`),
  pypi: (word) => (word.startsWith('pypi:') ? word : `pypi:${word}`),
  github: (word, ref) => {
    const place = /^[\w.-]+\/[\w.-]+$/.test(word) ? `github:${word}` : word;
    return ref === undefined ? place : `${place}#${ref}`;
  },
};

function readUrl(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isWeb)
    throw new UsageError(`--server-url ${JSON.stringify(text.slice(0, 200))}: expected a URL with http or https`);
  return text;
}

export function applyOlderFlags(
  words: readonly string[],
  { serverUrl, sourceType, ref }: OlderFlags,
): readonly string[] {
  const kind = sourceType ?? (ref === undefined ? undefined : 'github');
  const write = kind === undefined || !Object.hasOwn(kinds, kind) ? undefined : kinds[kind];
  if (kind !== undefined && write === undefined) {
    throw new UsageError(
      `--source-type ${JSON.stringify(kind.slice(0, 200))}: expected ${Object.keys(kinds).join(', ')}`,
    );
  }
  if (ref !== undefined && kind !== 'github') throw new UsageError('--ref goes with a git repository');
  const own = write === undefined ? words : words.map((word) => write(word, ref));
  return serverUrl === undefined ? own : [...own, readUrl(serverUrl)];
}
