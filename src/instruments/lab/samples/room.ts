import { posix } from 'node:path';
import { HostError, UsageError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/fingerprint.ts';
import { mebibyte, minuteMs } from '../../../base/limits.ts';
import type { Connector, PlaceEntry } from '../../../engine/connector/contract.ts';
import { hashBytes, hashFile, type SampleHashes } from './hashes.ts';
import type { Origin, Origins } from './origins.ts';
import { checkedName, findSample, type SampleFolders, type SampleRef, safeName, shown } from './paths.ts';

/** The room where samples lie. They are read and never changed; what comes out of one is a new sample beside it. */

export const mostSampleBytes = 200 * mebibyte;
/** Recent samples stay in memory: most questions about one come one after the other. */
const mostKeptBytes = 256 * mebibyte;
const hashTimeoutMs = 10 * minuteMs;
/** Read-only even for their owner, so that a tool that insists on writing fails instead of changing evidence. */
const sampleMode = 0o400;

export interface HeldSample extends SampleRef {
  readonly bytes: Buffer;
  readonly sha256: string;
}

export interface NewSample {
  readonly name: string;
  readonly source: Uint8Array | { readonly file: string };
  readonly how: string;
  readonly parent: string | null;
  readonly originalName?: string;
  /** Below the samples folder; default: directly in it. */
  readonly folder?: string;
  /** Default: samples. */
  readonly into?: 'samples' | 'output';
  readonly isOverwriteAllowed?: boolean;
  readonly signal?: AbortSignal;
}

export interface NewChild extends Pick<NewSample, 'name' | 'how' | 'parent' | 'originalName' | 'signal'> {
  readonly bytes: Uint8Array;
  /** Of the bytes, where it is known already. */
  readonly digest?: string;
  /** Below the output folder. */
  readonly folder: string;
}

export interface AddedSample {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

interface RoomParts {
  readonly connector: Connector;
  readonly folders: SampleFolders;
  readonly origins: Origins;
}

export class SampleRoom {
  readonly #parts: RoomParts;
  readonly #held = new Map<string, HeldSample>();

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  get folders(): SampleFolders {
    return this.#parts.folders;
  }

  find(file: string, signal?: AbortSignal): Promise<SampleRef> {
    const { folders, connector } = this.#parts;
    return findSample(file, folders, connector, signal);
  }

  /** The whole sample. A larger one than a sample may be is a UsageError: its hashes can still be asked for. */
  async read(file: string, signal?: AbortSignal): Promise<HeldSample> {
    const ref = await this.find(file, signal);
    const key = `${ref.path}\0${ref.sizeBytes}\0${ref.changedAt}`;
    const known = this.#held.get(key);
    if (known !== undefined) {
      this.#held.delete(key);
      this.#held.set(key, known);
      return { ...known, name: ref.name };
    }
    const { content, receipt } = await this.#parts.connector.get(ref.path, {
      maxBytes: mostSampleBytes,
      ...(signal === undefined ? {} : { signal }),
    });
    const held = { ...ref, sizeBytes: content.length, bytes: content, sha256: receipt.sha256 };
    this.#keep(key, held);
    return held;
  }

  #keep(key: string, held: HeldSample): void {
    this.#held.set(key, held);
    let total = 0;
    for (const { bytes } of this.#held.values()) total += bytes.length;
    for (const [oldest, { bytes }] of this.#held) {
      if (total <= mostKeptBytes) return;
      this.#held.delete(oldest);
      total -= bytes.length;
    }
  }

  /** The hash as the file is now, in its place: asked before and after a tool has run. */
  async hashNow(path: string, signal?: AbortSignal): Promise<string> {
    const { connector } = this.#parts;
    if (connector.id === 'local') return (await hashFile(path, signal)).sha256;
    return (await this.#hashThere(path, ['sha256sum'], signal))[0] ?? '';
  }

  async hashes(ref: SampleRef, signal?: AbortSignal): Promise<SampleHashes> {
    if (ref.sizeBytes <= mostSampleBytes) return hashBytes((await this.read(ref.path, signal)).bytes);
    if (this.#parts.connector.id === 'local') return hashFile(ref.path, signal);
    const programs = ['sha256sum', 'sha1sum', 'md5sum'];
    const [sha256 = '', sha1 = '', md5 = ''] = await this.#hashThere(ref.path, programs, signal);
    return { sha256, sha1, md5 };
  }

  async #hashThere(path: string, programs: readonly string[], signal?: AbortSignal): Promise<readonly string[]> {
    const ends = await Promise.all(
      programs.map((program) =>
        this.#parts.connector.exec([program, '--', path], {
          timeoutMs: hashTimeoutMs,
          maxOutputBytes: 16_384,
          ...(signal === undefined ? {} : { signal }),
        }),
      ),
    );
    return ends.map(({ code, stdout }, at) => {
      // A name with a backslash or a line end is marked by a backslash before the digest.
      const digest = /^\\?([0-9a-f]{32,64})\s/.exec(stdout.toString('latin1'))?.[1];
      if (code === 0 && digest !== undefined) return digest;
      throw new HostError(`${programs[at]} could not read ${shown(path)} there`);
    });
  }

  /** The first bytes of a sample that is too large to hold. */
  async readHead(ref: SampleRef, mostBytes: number, signal?: AbortSignal): Promise<Buffer> {
    const { connector } = this.#parts;
    const { stdout } = await connector.exec(['head', '-c', String(mostBytes), '--', ref.path], {
      timeoutMs: minuteMs,
      maxOutputBytes: mostBytes,
      ...(signal === undefined ? {} : { signal }),
    });
    return stdout;
  }

  async list(
    which: 'samples' | 'output',
    below: string,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ readonly path: string; readonly entries: readonly PlaceEntry[]; readonly hasMore: boolean }> {
    const { connector, folders } = this.#parts;
    const root = folders[which];
    const path = posix.join(root, posix.normalize(`/${below}`));
    const real = await connector.realPath(path, signal);
    const realRoot = await connector.realPath(root, signal);
    if (real === null || realRoot === null) {
      throw new UsageError(`there is no folder ${shown(path)} ${connector.place}`, {
        hint: 'make it, or name another with --samples-dir and --output-dir',
      });
    }
    if (real !== realRoot && !real.startsWith(`${realRoot}/`)) {
      throw new UsageError(`${shown(path)} leads out of the ${which} folder`);
    }
    return { path: real, ...(await connector.list(real, most, signal)) };
  }

  /** A new sample with its origin. A name that is taken by the same content is that sample; by another one it gets a number. */
  async add(wish: NewSample): Promise<AddedSample> {
    const { connector, folders, origins } = this.#parts;
    const root = folders[wish.into ?? 'samples'];
    const folder = wish.folder === undefined ? root : posix.join(root, posix.normalize(`/${wish.folder}`));
    const name = checkedName(wish.name);
    const options = {
      mode: sampleMode,
      isOverwriteAllowed: wish.isOverwriteAllowed ?? false,
      ...(wish.signal === undefined ? {} : { signal: wish.signal }),
    };
    const receipt = await connector.put(posix.join(folder, name), wish.source, options);
    const origin: Origin = {
      sha256: receipt.sha256,
      path: receipt.path,
      place: connector.place.slice(0, 512),
      how: wish.how.slice(0, 512),
      parent: wish.parent,
      originalName: (wish.originalName ?? wish.name).slice(0, 1024),
      at: new Date().toISOString(),
    };
    origins.add(origin);
    return receipt;
  }

  /** For what came out of a sample or a command: a safe name that begins with its digest, so that nothing collides. */
  async addChild(child: NewChild): Promise<AddedSample> {
    const { name, bytes, digest = sha256(bytes), originalName = name, ...rest } = child;
    return this.add({
      ...rest,
      name: `${digest.slice(0, 12)}-${safeName(name, 'part')}`,
      source: bytes,
      originalName,
      into: 'output',
      // The digest in its name says that it is the same.
      isOverwriteAllowed: true,
    });
  }

  originsOf(sha256: string): readonly Origin[] {
    return this.#parts.origins.of(sha256);
  }
}
