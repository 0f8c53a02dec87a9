import type { Box } from '../box/contract.ts';
import type { DecoyFile } from './decoy.ts';

/** What planting needs of a box. */
export type Ground = Pick<Box, 'folders' | 'putAll'>;

/** Puts the files into the box's home, where the target will find them. Returns their paths inside the box. */
export async function plantDecoys(
  box: Ground,
  decoys: { readonly files: readonly DecoyFile[] },
): Promise<readonly string[]> {
  const files = decoys.files.map((file) => ({ ...file, path: `${box.folders.home}/${file.path}` }));
  await box.putAll(files);
  return files.map(({ path }) => path);
}
