import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../base/fingerprint.ts';

/** Tells cheaply whether a folder of the user has changed: names, sizes and times, without what was installed into it. */

const mostEntries = 20_000;
const skipped = new Set(['node_modules', '.git', '.venv', 'venv', '__pycache__']);

export function stateOf(folder: string): string {
  const lines: string[] = [];
  const waiting = [''];
  for (let inner = waiting.pop(); inner !== undefined && lines.length < mostEntries; inner = waiting.pop()) {
    try {
      for (const entry of readdirSync(join(folder, inner), { withFileTypes: true })) {
        const path = join(inner, entry.name);
        if (skipped.has(entry.name)) continue;
        if (entry.isDirectory()) waiting.push(path);
        else {
          const { size, mtimeMs, mode } = lstatSync(join(folder, path));
          lines.push(`${path}\0${size} ${mtimeMs} ${mode}`);
        }
      }
    } catch {
      lines.push(`${inner}\0unreadable`);
    }
  }
  return sha256(lines.sort().join('\n'));
}
