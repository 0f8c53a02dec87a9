import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Inspected } from './contract.ts';

/** For tests and for the examples of rules: a target made of texts, gone when it is disposed of. */
export interface TargetFolder extends Inspected, Disposable {}

export function makeTargetFolder(files: Readonly<Record<string, string | Uint8Array>>): TargetFolder {
  const root = mkdtempSync(join(tmpdir(), 'hotcell-target-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, files: Object.keys(files), [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
