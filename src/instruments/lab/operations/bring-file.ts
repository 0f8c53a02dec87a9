import { lstat, realpath } from 'node:fs/promises';
import { basename, isAbsolute, normalize, sep } from 'node:path';
import { describeError, UsageError } from '../../../base/errors.ts';
import type { Lab } from '../lab.ts';
import { shown } from '../samples/paths.ts';
import { refusePrivate } from '../samples/private-places.ts';
import { type AddedSample, mostSampleBytes } from '../samples/room.ts';

/** A file of this host becomes a sample. It is copied, and the copy is the evidence from then on. */

export interface BringOrder {
  readonly hostPath: string;
  /** Default: the name that it has. */
  readonly name?: string;
  readonly isOverwriteAllowed: boolean;
  readonly signal: AbortSignal;
}

async function checkedSource(hostPath: string, options: Lab['options']): Promise<string> {
  const root = options.ingestRoot;
  if (!isAbsolute(hostPath) || hostPath.includes('\0') || normalize(hostPath).split(sep).includes('..')) {
    throw new UsageError(`${shown(hostPath)} is no absolute path`, { code: 'INVALID_PATH' });
  }
  let real: string;
  try {
    real = await realpath(hostPath);
  } catch (error) {
    throw new UsageError(`${shown(hostPath)} cannot be read: ${describeError(error)}`, { code: 'FILE_NOT_FOUND' });
  }
  const stat = await lstat(hostPath);
  if (stat.isSymbolicLink() || !stat.isFile()) {
    throw new UsageError(`${shown(hostPath)} is no plain file`, {
      code: 'INVALID_PATH',
      hint: 'name the file itself, not a link to it',
    });
  }
  if (stat.size > mostSampleBytes) {
    throw new UsageError(`${shown(hostPath)} has ${stat.size} bytes; a sample has at most ${mostSampleBytes}`, {
      code: 'FILE_TOO_LARGE',
      hint: 'put it into the samples folder by other means; get_file_info takes larger files',
    });
  }
  if (root !== null) {
    const realRoot = await realpath(root).catch(() => root);
    if (!real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) {
      throw new UsageError(`${shown(hostPath)} is outside of the folder that samples may come from`, {
        code: 'INVALID_PATH',
        hint: `only files below ${realRoot} are taken (--ingest-root)`,
      });
    }
  }
  const { isPrivateRefused, homeFolder } = options;
  if (isPrivateRefused) refusePrivate(real, root === null ? [] : [await realpath(root).catch(() => root)], homeFolder);
  return real;
}

export async function bringFile(lab: Lab, order: BringOrder): Promise<AddedSample> {
  const { hostPath, isOverwriteAllowed, signal } = order;
  const file = await checkedSource(hostPath, lab.options);
  return lab.samples.add({
    name: order.name ?? basename(file),
    source: { file },
    how: 'brought from the host',
    parent: null,
    originalName: basename(hostPath),
    isOverwriteAllowed,
    signal,
  });
}
