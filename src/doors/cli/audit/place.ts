import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import { ledgerFolder as homeLedger } from '../../settings/index.ts';
import type { Door } from '../definition.ts';

/** Where the ledger of a command is, and files that a command is given. */

const mostFileBytes = 16 * mebibyte;

export interface LedgerPlace {
  readonly ledger?: string | undefined;
}

export function ledgerFolder({ ledger }: LedgerPlace, door: Door): string {
  const folder = ledger === undefined ? homeLedger(door.settings.values.home) : resolve(door.caller.folder, ledger);
  if (!existsSync(folder)) {
    throw new UsageError(`there is no ledger at ${folder}`, {
      hint: 'it is made by the first command that decides something, such as hotcell run; --ledger names another folder',
    });
  }
  return folder;
}

export async function readGivenFile(path: string, door: Door): Promise<string> {
  const full = resolve(door.caller.folder, path);
  try {
    const { size } = await stat(full);
    if (size > mostFileBytes) throw new UsageError(`${path} is larger than 16 MiB`);
    return await readFile(full, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
}
