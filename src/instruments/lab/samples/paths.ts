import { posix } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { Connector } from '../../../engine/connector/contract.ts';
import { isBelow, shown } from './path-text.ts';
import { refusePrivate } from './private-places.ts';

export { isBelow, shown } from './path-text.ts';

/** Names that callers give, and what they stand for in the place where samples are. */

export interface SampleFolders {
  readonly samples: string;
  readonly output: string;
  /** True: nothing outside the two folders is taken, links included. */
  readonly isConfined: boolean;
  /** The home of Hotcell where secrets of this machine are refused; null where nobody has to be kept from them. */
  readonly guardedHome: string | null;
}

export interface SampleRef {
  /** As it lies there, with every link followed. */
  readonly path: string;
  /** The last part of the name that was asked for: untrusted. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly changedAt: string;
}

const longestPath = 4096;
/** Stands for the output folder in what callers and tools write. */
const outputMark = '%OUTPUT%/';

function checkedText(file: string): string {
  if (file === '' || file.length > longestPath || file.includes('\0')) {
    throw new UsageError(`a file name has 1 to ${longestPath} characters and no NUL`);
  }
  return file;
}

/** What a name can stand for, the likeliest first. A relative one never leads out of the folders. */
export function candidatePaths(file: string, folders: SampleFolders): readonly string[] {
  const text = checkedText(file);
  if (text.startsWith('/')) return [posix.normalize(text)];
  const isOutput = text.startsWith(outputMark);
  const relative = posix.normalize(isOutput ? text.slice(outputMark.length) : text);
  if (relative === '..' || relative.startsWith('../') || relative === '.' || relative.startsWith('/')) {
    throw new UsageError(`${shown(file)} leads out of the samples folder`, {
      hint: 'name a file below it, or give an absolute path where those are allowed',
    });
  }
  const output = posix.join(folders.output, relative);
  return isOutput ? [output] : [posix.join(folders.samples, relative), output];
}

async function checkConfined(path: string, folders: SampleFolders, connector: Connector, signal?: AbortSignal) {
  if (!folders.isConfined) return;
  const roots = await Promise.all(
    [folders.samples, folders.output].map((folder) => connector.realPath(folder, signal)),
  );
  if (roots.some((root) => root !== null && isBelow(root, path))) return;
  throw new UsageError(`${shown(path)} is outside the samples and output folders`, {
    hint: 'this lab was started with --sandbox: put the file into its samples folder with upload_from_host',
  });
}

/** The file that a name stands for; links are followed and what they lead to is what counts. */
export async function findSample(
  file: string,
  folders: SampleFolders,
  connector: Connector,
  signal?: AbortSignal,
): Promise<SampleRef> {
  for (const candidate of candidatePaths(file, folders)) {
    const path = await connector.realPath(candidate, signal);
    if (path === null) continue;
    await checkConfined(path, folders, connector, signal);
    if (folders.guardedHome !== null) refusePrivate(path, [folders.samples, folders.output], folders.guardedHome);
    const entry = await connector.stat(path, signal);
    if (entry === null) continue;
    if (entry.type !== 'file') throw new UsageError(`${shown(file)} is no file, it is a ${entry.type}`);
    const { sizeBytes, changedAt } = entry;
    return { path, name: posix.basename(candidate), sizeBytes, changedAt };
  }
  throw new UsageError(`there is no file ${shown(file)} in ${folders.samples}`, {
    hint: 'list_files shows what is there; upload_from_host brings a file',
  });
}

const reservedName = /^\.{0,2}$/;

/** A name that a new file may have: one part, nothing that a shell, a terminal or a file system reads otherwise. */
export function checkedName(name: string): string {
  const text = checkedText(name);
  if (reservedName.test(text) || /[/\\\p{Cc}]/u.test(text) || text.startsWith('-') || Buffer.byteLength(text) > 255) {
    throw new UsageError(`${shown(name)} cannot be the name of a sample`, {
      hint: 'up to 255 bytes, without slashes and control characters, not beginning with a dash',
    });
  }
  return text;
}

/** The nearest name that a file may have, for names that a sample or a server chose. */
export function safeName(name: string, fallback = 'sample'): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}:*?"<>|]/gu, '_')
    .replace(/^[-.\s]+/, '')
    .replace(/[.\s]+$/, '');
  const cut = Buffer.from(clean)
    .subarray(0, 200)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  return cut === '' ? fallback : cut;
}
