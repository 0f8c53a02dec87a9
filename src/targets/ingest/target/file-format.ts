import { type Stats, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { FileFormat, FileTarget, FolderTarget, TargetContext } from './contract.ts';
import { formatOfDocument, isDocument } from './document-format.ts';

const formats: readonly { readonly ending: RegExp; readonly format: FileFormat }[] = [
  { ending: /\.(mcpb|dxt)$/i, format: 'bundle' },
  { ending: /\.(tgz|tar\.gz|tar)$/i, format: 'tarball' },
  { ending: /\.whl$/i, format: 'wheel' },
  { ending: /\.zip$/i, format: 'zip' },
];

const scriptEnding = /\.(js|mjs|cjs|jsx|ts|mts|cts|tsx|py|pyz|pyw)$/i;

/** Whether a name that could also be something else is certainly meant as a file. */
export function hasFileEnding(text: string): boolean {
  return formats.some(({ ending }) => ending.test(text)) || isDocument(text);
}

/** Follows links: what the user typed is the user's own. Anything that cannot be looked at is absent. */
export function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function resolvePath(text: string, { cwd, home }: TargetContext): string {
  if (home !== undefined && (text === '~' || text.startsWith('~/'))) return join(home, text.slice(1));
  return isAbsolute(text) ? resolve(text) : resolve(cwd, text);
}

/** A file or a folder by its path. A program is accepted only where a command starts it. */
export function parsePath(text: string, context: TargetContext, isStarted = false): FileTarget | FolderTarget {
  const path = resolvePath(text, context);
  const found = lookAt(path);
  if (found === undefined) throw new UsageError(`there is no file or folder ${JSON.stringify(path)}`);
  if (found.isDirectory()) return { kind: 'folder', path };
  if (!found.isFile()) throw new UsageError(`${JSON.stringify(path)} is neither a file nor a folder`);
  const byName = formats.find(({ ending }) => ending.test(path))?.format;
  if (byName !== undefined) return { kind: 'file', format: byName, path };
  if (scriptEnding.test(path)) return { kind: 'file', format: 'script', path };
  const byContent = isDocument(path) ? formatOfDocument(path, found.size) : undefined;
  if (byContent !== undefined) return { kind: 'file', format: byContent, path };
  if (isStarted) return { kind: 'file', format: 'program', path };
  throw new UsageError(`cannot tell what ${JSON.stringify(path)} is`, {
    hint: 'a target is a folder, an archive (.mcpb .tgz .tar.gz .whl .zip), a server.json, a tools.json or the config file of a client',
  });
}
