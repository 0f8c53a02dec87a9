import { posix } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { Extraction } from '../archives/contract.ts';
import { extractArchive } from '../archives/index.ts';
import type { Lab } from '../lab.ts';
import { checkedName, safeName } from '../samples/paths.ts';

/** What lies in an archive becomes samples in a new folder. Nothing that is there is touched, whatever the archive says. */

export interface UnpackOrder {
  readonly file: string;
  readonly passwords: readonly string[];
  /** One folder below the samples; default: the name of the archive. */
  readonly folder?: string;
  /** Archives inside archives that are opened as well. */
  readonly depth: number;
  readonly signal: AbortSignal;
}

export interface UnpackedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly inside: readonly string[];
  readonly note: string | null;
}

export interface Unpacked extends Omit<Extraction, 'entries'> {
  readonly folder: string;
  readonly files: readonly UnpackedFile[];
}

async function freeFolder(lab: Lab, wanted: string, signal: AbortSignal): Promise<string> {
  const mostTries = 100;
  for (let number = 1; number <= mostTries; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    const path = posix.join(lab.samples.folders.samples, name);
    if ((await lab.connector.stat(path, signal)) === null) return name;
  }
  throw new UsageError(`there are ${mostTries} folders called ${wanted} already`, {
    hint: 'name another one',
    code: 'INVALID_SUBDIR',
  });
}

export async function unpack(lab: Lab, order: UnpackOrder): Promise<Unpacked> {
  const { passwords, depth, signal } = order;
  const sample = await lab.samples.read(order.file, signal);
  const wanted =
    order.folder === undefined
      ? safeName(sample.name.replace(/\.[^.]{1,8}$/, ''), 'archive')
      : checkedName(order.folder);
  const { entries, ...rest } = await extractArchive({
    bytes: sample.bytes,
    name: sample.name,
    passwords,
    limits: { depth },
    signal,
  });
  const folder = await freeFolder(lab, wanted, signal);
  const files: UnpackedFile[] = [];
  for (const { name, path, bytes, pathNote, inside } of entries) {
    const added = await lab.samples.add({
      name: posix.basename(path),
      source: bytes,
      how: `unpacked from ${[sample.name, ...inside].join(' > ')}`,
      parent: sample.sha256,
      originalName: name,
      folder: posix.join(folder, posix.dirname(path)),
      signal,
    });
    files.push({ ...added, name, inside, note: pathNote ?? null });
  }
  return { ...rest, folder: posix.join(lab.samples.folders.samples, folder), files };
}
