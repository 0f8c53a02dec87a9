import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { checkpointsName } from './checkpoint-file.ts';
import { publicKeyText } from './public-keys.ts';
import type { ExportOptions, ExportReport } from './report.ts';
import { listSegments, readBlocks, sizeOf } from './segments.ts';

/** A folder with everything that somebody else needs to verify, and nothing that is secret. */

const explanation = `This is a copy of a Hotcell ledger: entries, signed checkpoints and public keys.

  hotcell audit verify --ledger . --public-keys FILE

FILE holds the public keys as you got them from somebody you trust. public-keys in this folder came with the copy:
it says what the copy claims, and proves nothing by itself.
`;

/** Cuts off a line that somebody was writing while it was copied. */
function keepWholeLines(path: string): { readonly lines: number; readonly bytes: number } {
  const descriptor = openSync(path, 'r+');
  try {
    let [lines, bytes] = [0, 0];
    for (const block of readBlocks(descriptor, 0)) {
      if (block.isUnfinished) break;
      bytes = block.offset + block.end - block.start;
      for (let at = block.start; at < block.end; at = block.buffer.indexOf(10, at) + 1) lines += 1;
    }
    ftruncateSync(descriptor, bytes);
    return { lines, bytes };
  } finally {
    closeSync(descriptor);
  }
}

/** Checkpoints first, so that the entries they vouch for are in the copy whatever is written meanwhile. */
const smallFiles = [checkpointsName, 'keys/first', 'keys/handovers', 'frontier'] as const;

export async function exportLedger(folder: string, { to }: ExportOptions): Promise<ExportReport> {
  const keys = await publicKeyText(folder);
  mkdirSync(join(to, 'keys'), { recursive: true });
  if (readdirSync(to).length > 1 || readdirSync(join(to, 'keys')).length > 0) {
    throw new UsageError(`${to} is not empty`, { hint: 'name a folder that does not exist yet' });
  }
  const files: string[] = [];
  for (const name of smallFiles.filter((file) => sizeOf(join(folder, file)) !== null)) {
    copyFileSync(join(folder, name), join(to, name));
    files.push(name);
  }
  let size = 0;
  for (const { name, path } of listSegments(folder)) {
    copyFileSync(path, join(to, name));
    size += keepWholeLines(join(to, name)).lines;
    files.push(name);
  }
  writeFileSync(join(to, 'public-keys'), keys);
  writeFileSync(join(to, 'README'), explanation);
  files.push('public-keys', 'README');
  const bytes = files.reduce((sum, name) => sum + statSync(join(to, name)).size, 0);
  return { folder: to, files, size, bytes };
}
