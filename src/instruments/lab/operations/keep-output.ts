import { sha256 } from '../../../base/fingerprint.ts';
import { folderOf } from '../analysis/save.ts';
import type { Lab } from '../lab.ts';
import { safeName } from '../samples/paths.ts';
import type { AddedSample } from '../samples/room.ts';
import type { MadeFile } from '../workbench/contract.ts';

/** What a command wrote or printed, kept in the output folder under the digest of its content. */

function below(parent: string | null): string {
  return parent === null ? 'commands' : folderOf(parent);
}

export async function saveMade(
  lab: Lab,
  files: readonly MadeFile[],
  parent: string | null,
  signal: AbortSignal,
): Promise<readonly AddedSample[]> {
  const saved: AddedSample[] = [];
  for (const { name, bytes } of files) {
    const flat = name.replace(/^output\//, '').replaceAll('/', '~');
    const folder = below(parent);
    const how = 'written by a command';
    saved.push(
      await lab.samples.addChild({
        name: safeName(flat, 'file'),
        bytes,
        how,
        parent,
        originalName: name,
        folder,
        signal,
      }),
    );
  }
  return saved;
}

export async function saveText(
  lab: Lab,
  label: string,
  bytes: Uint8Array,
  parent: string | null,
  signal: AbortSignal,
): Promise<string> {
  const { path } = await lab.samples.add({
    name: `${label}-${sha256(bytes).slice(0, 12)}.txt`,
    source: bytes,
    how: 'output of a command',
    parent,
    folder: below(parent),
    into: 'output',
    isOverwriteAllowed: true,
    signal,
  });
  return path;
}
