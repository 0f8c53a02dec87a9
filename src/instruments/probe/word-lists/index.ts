import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import { rulesFile } from '../../../base/rules-folder.ts';
import { cleanWords } from './clean.ts';

/** Word lists are asked for by alias and never by path. */

export const pathListAliases = [
  'common',
  'api',
  'seclists-common',
  'seclists-big',
  'seclists-raft-small',
  'seclists-api',
] as const;
export type PathListAlias = (typeof pathListAliases)[number];

/** `parameters` is the list of parameter names; those of arjun are its own. */
export type WordListAlias = PathListAlias | 'parameters';

type Place =
  | { readonly by: 'hotcell'; readonly file: string }
  /** Names below a folder of SecLists; the first that is there, since releases have moved them. */
  | { readonly by: 'seclists'; readonly files: readonly string[] };

const places: Readonly<Record<WordListAlias, Place>> = {
  common: { by: 'hotcell', file: 'probe/words/common.txt' },
  api: { by: 'hotcell', file: 'probe/words/api.txt' },
  parameters: { by: 'hotcell', file: 'probe/words/parameters.txt' },
  'seclists-common': { by: 'seclists', files: ['Discovery/Web-Content/common.txt'] },
  'seclists-big': { by: 'seclists', files: ['Discovery/Web-Content/big.txt'] },
  'seclists-raft-small': { by: 'seclists', files: ['Discovery/Web-Content/raft-small-words.txt'] },
  'seclists-api': {
    by: 'seclists',
    files: ['Discovery/Web-Content/api/api-endpoints.txt', 'Discovery/Web-Content/api/api-endpoints-res.txt'],
  },
};

export const secListsFolders = ['/usr/share/seclists', '/opt/seclists', '/usr/share/wordlists/seclists'] as const;

const mostListBytes = 8 * mebibyte;

function placeOf(alias: WordListAlias, folders: readonly string[]): URL | string | null {
  const place = places[alias];
  if (place.by === 'hotcell') return rulesFile(place.file);
  const files = folders.flatMap((folder) => place.files.map((file) => join(folder, file)));
  return files.find((file) => existsSync(file)) ?? null;
}

export function isWordListAvailable(alias: WordListAlias, folders: readonly string[] = secListsFolders): boolean {
  return placeOf(alias, folders) !== null;
}

/** One word a line, cleaned, as a program takes it. */
export function readWordList(alias: WordListAlias, folders: readonly string[] = secListsFolders): Buffer {
  const place = placeOf(alias, folders);
  if (place === null) {
    throw new UsageError(`the word list ${alias} is not installed on this machine`, {
      code: 'WORD_LIST_MISSING',
      hint: `install SecLists (the package seclists, or its files in ${secListsFolders[1]}), or take common or api`,
    });
  }
  const file = statSync(place);
  if (!file.isFile() || file.size > mostListBytes) {
    throw new UsageError(`the word list ${alias} is no file of at most ${mostListBytes / mebibyte} MiB`);
  }
  const words = cleanWords(readFileSync(place, 'utf8'));
  if (words.length === 0) throw new UsageError(`the word list ${alias} has no words`);
  return Buffer.from(`${words.join('\n')}\n`, 'utf8');
}
