import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { besideModule } from '../../../base/beside.ts';

/** Where Hotcell itself lies: its auditors run in the room, with the Node that runs Hotcell. */

/** Node, and the file that runs an auditor. */
export function auditorProgram(): readonly string[] {
  const folder = new URL('../auditors/', import.meta.url);
  const ending = besideModule(import.meta.url, 'x');
  const main = fileURLToPath(new URL(`main${ending.pathname.slice(ending.pathname.lastIndexOf('.'))}`, folder));
  return [process.execPath, '--no-warnings', main];
}

/** Folders that it needs: its package, the packages beside it where it is one of many, and those of Node. */
export function ownFolders(): readonly string[] {
  const packageFolder = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '');
  const parts = packageFolder.split(sep);
  const shared = parts.indexOf('node_modules');
  const installed = shared === -1 ? packageFolder : parts.slice(0, shared + 1).join(sep);
  return [...new Set([installed, dirname(process.execPath)])];
}
