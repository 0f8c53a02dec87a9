import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, type JsonObject } from '../../../../base/json-shape.ts';
import { readRegularFileSync } from '../../../../base/regular-file.ts';

/** Texts of the target's own folder, each with a cap. Links are not followed. */

const largestBytes = 2 * 1024 * 1024;

export function readOwnText(folder: string, path: string, mostBytes: number = largestBytes): string | null {
  if (path.split('/').includes('..')) return null;
  try {
    return readRegularFileSync(join(folder, path), { mostBytes, links: 'refused' }).bytes.toString();
  } catch {
    return null;
  }
}

export function readOwnJson(folder: string, path: string): JsonObject {
  try {
    return asObject(JSON.parse(readOwnText(folder, path) ?? ''));
  } catch {
    return {};
  }
}

export function listOwn(folder: string, below = ''): readonly string[] {
  try {
    return readdirSync(join(folder, below)).slice(0, 2000);
  } catch {
    return [];
  }
}

/** `README.md` of the folder; a wheel keeps it behind the headers of its metadata. */
export function readReadme(folder: string): string {
  const names = listOwn(folder);
  const readme = names.filter((name) => /^readme(\.(md|markdown|rst|txt))?$/i.test(name)).sort()[0];
  const text = readme === undefined ? null : readOwnText(folder, readme, 512 * 1024);
  if (text !== null && text.trim() !== '') return text;
  const info = names.find((name) => name.endsWith('.dist-info'));
  return info === undefined ? '' : (readOwnText(folder, `${info}/METADATA`, 512 * 1024) ?? '');
}
