import type { Box } from '../box/contract.ts';
import type { DecoyFile } from './decoy.ts';

/** What planting needs of a box. */
export type Ground = Pick<Box, 'folders' | 'put'>;

/** Puts the files into the box's home, where the target will find them. Returns their paths inside the box. */
export async function plantDecoys(
  box: Ground,
  decoys: { readonly files: readonly DecoyFile[] },
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { path, content, mode } of decoys.files) {
    const inside = `${box.folders.home}/${path}`;
    await box.put(inside, content, mode);
    paths.push(inside);
  }
  return paths;
}
