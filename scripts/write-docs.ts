import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pages } from './docs/index.ts';
import { type Page, replacePart } from './docs/page.ts';

/** `node scripts/write-docs.ts [--check]`: writes the generated docs, or says which of them are stale. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isCheck = process.argv.includes('--check');

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function wanted(page: Page, before: string | null): string | null {
  if (page.part === undefined) return page.render();
  return before === null ? null : replacePart(before, page.part, page.render());
}

let isStale = false;
for (const page of pages) {
  const file = join(root, page.path);
  const before = readIfThere(file);
  const text = wanted(page, before);
  if (text === null) {
    process.stdout.write(`${page.path}: has no place for the generated part "${page.part}"\n`);
    isStale = true;
  } else if (text !== before && isCheck) {
    process.stdout.write(`${page.path}: stale, run npm run docs\n`);
    isStale = true;
  } else if (text !== before) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${page.path}: written\n`);
  }
}
process.exitCode = isStale ? 1 : 0;
