import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface SourceFile {
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const sourceName = /\.(ts|mts|cts|tsx|js|mjs|cjs|jsx)$/;
const notOurs = new Set(['node_modules', 'dist', 'golden', '.git']);

/** Every source below a folder, sorted; a folder that does not exist has none. */
export function readSources(root: string, folder: string): readonly SourceFile[] {
  const found: SourceFile[] = [];
  const visit = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const full = join(path, entry.name);
      if (entry.isDirectory() && !notOurs.has(entry.name)) visit(full);
      else if (entry.isFile() && sourceName.test(entry.name)) {
        found.push({ path: relative(root, full), text: readFileSync(full, 'utf8') });
      }
    }
  };
  try {
    visit(join(root, folder));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
