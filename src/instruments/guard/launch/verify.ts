import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/fingerprint.ts';
import type { Verified } from './contract.ts';
import { type ManifestEntry, parseManifest, readTree } from './manifest.ts';
import { readRecord, serverFiles } from './record.ts';

/** Hashes every file of an installed server and compares it with what was installed. */

const keyOf = (entry: ManifestEntry): string =>
  'link' in entry ? `link ${entry.link}` : `${entry.mode} ${entry.size} ${entry.sha256}`;

export async function verifyServer(folder: string): Promise<Verified> {
  const record = await readRecord(folder);
  const text = await readFile(join(folder, serverFiles.manifest), 'utf8').catch(() => '');
  const told = sha256(text) === record.manifest ? parseManifest(text) : null;
  if (told === null) {
    throw new HostError(`the list of files in ${JSON.stringify(folder)} is not the one that its record names`, {
      hint: 'install the server again with: hotcell run --update',
    });
  }
  const now = new Map((await readTree(join(folder, serverFiles.tree))).map((entry) => [entry.path, entry]));
  const known = new Set(told.map(({ path }) => path));
  const missing = told.filter(({ path }) => !now.has(path)).map(({ path }) => path);
  const changed = told.filter((entry) => {
    const found = now.get(entry.path);
    return found !== undefined && keyOf(found) !== keyOf(entry);
  });
  const added = [...now.keys()].filter((path) => !known.has(path));
  return {
    isIntact: missing.length + changed.length + added.length === 0,
    files: told.length,
    changed: changed.map(({ path }) => path),
    missing,
    added,
  };
}
