import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeError, UsageError } from '../../../base/errors.ts';
import type { Door } from '../definition.ts';

/** What every command that takes targets has in common. */

/** The words of a command that stand before `--`. */
export function ownWords(words: readonly string[], { trailing }: Door): readonly string[] {
  return words.slice(0, words.length - trailing.length);
}

export async function writeFileOrFail(path: string, folder: string, text: string): Promise<void> {
  await writeFile(resolve(folder, path), text).catch((cause: unknown) => {
    throw new UsageError(`cannot write ${JSON.stringify(path)}: ${describeError(cause)}`, { cause });
  });
}
