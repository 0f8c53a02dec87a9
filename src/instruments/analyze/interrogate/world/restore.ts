import type { Cell } from '../../../../engine/cell/index.ts';
import type { World } from '../arguments/index.ts';
import { ordinaryFiles } from './files.ts';
import { homeFiles } from './home-files.ts';
import { runInBox } from './in-box.ts';

/**
 * Puts back what calls moved, changed or removed, so that trials find the world as it was planted. Also for before a
 * server is started again: one that dies while it writes its settings leaves them empty, and its boundary with them.
 */

const linkTimeoutMs = 20_000;

export async function restoreWorld(cell: Cell, world: World): Promise<void> {
  const { root, sibling, link, databaseCanary = '' } = world;
  const files: [path: string, content: Buffer][] = [
    ...ordinaryFiles(databaseCanary).map(({ path, content }): [string, Buffer] => [`${root}/${path}`, content]),
    [world.outsideFile, Buffer.from(`private ledger ${world.outsideCanary}\n`)],
    [`${world.outsideFolder}/${world.outsideEntry}.txt`, Buffer.from('nothing\n')],
  ];
  if (sibling !== undefined) files.push([sibling.path, Buffer.from(`old ledger ${sibling.canary}\n`)]);
  for (const [path, content] of files) {
    const now = await cell.box.get(path, content.length + 1).catch(() => null);
    // A database that is open must not change under whoever opened it.
    if (now === null || !(now.equals(content) || path.endsWith('.db'))) await cell.box.put(path, content, 0o644);
  }
  // Servers write into their settings; what counts is that they still say where to keep to.
  const { home, tmp } = cell.box.folders;
  for (const { path, content, confines } of homeFiles(home, { root, home, tmp })) {
    const now = await cell.box.get(path).catch(() => null);
    if (now === null || (confines && !now.includes(root))) await cell.box.put(path, content, 0o644);
  }
  if (link === undefined) return;
  const linked = await cell.box.get(link.path, 1).catch(() => null);
  if (linked === null) await runInBox(cell, ['/bin/ln', '-sfn', '--', link.target, link.path], linkTimeoutMs);
}
