import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { kibibyte, mebibyte } from '../../../base/limits.ts';
import { openRegularFile } from '../../../base/regular-file.ts';
import type { CanaryHit } from '../contract.ts';

/** Files and folders of a server, as far as the limits go. Links are not followed: they may lead anywhere. */

export interface FileSearchLimits {
  readonly files: number;
  readonly fileBytes: number;
  readonly allBytes: number;
  readonly depth: number;
}

export const usualFileLimits: FileSearchLimits = {
  files: 10_000,
  fileBytes: 16 * mebibyte,
  allBytes: 256 * mebibyte,
  depth: 24,
};

export interface FoundInFile extends CanaryHit {
  readonly path: string;
}

export interface FileSearch {
  readonly hits: readonly FoundInFile[];
  readonly searchedFiles: number;
  /** Files or folders that could not be read, or were beyond a limit: not zero means that silence proves nothing. */
  readonly unsearched: number;
}

interface Stream {
  feed(bytes: Uint8Array): readonly CanaryHit[];
  end(): readonly CanaryHit[];
}

const pieceBytes = 256 * kibibyte;

class Walk {
  readonly hits: FoundInFile[] = [];
  readonly #limits: FileSearchLimits;
  readonly #open: (path: string) => Stream;
  searchedFiles = 0;
  unsearched = 0;
  #bytes = 0;

  constructor(limits: FileSearchLimits, openStream: (path: string) => Stream) {
    this.#limits = limits;
    this.#open = openStream;
  }

  async visit(path: string, depth: number): Promise<void> {
    try {
      const facts = await lstat(path);
      if (facts.isDirectory()) await this.#folder(path, depth);
      else if (facts.isFile()) await this.#file(path, facts.size);
    } catch {
      this.unsearched += 1;
    }
  }

  #isFull(): boolean {
    return this.searchedFiles >= this.#limits.files || this.#bytes >= this.#limits.allBytes;
  }

  async #folder(path: string, depth: number): Promise<void> {
    if (depth >= this.#limits.depth) {
      this.unsearched += 1;
      return;
    }
    for await (const { name } of await opendir(path)) {
      if (this.#isFull()) {
        this.unsearched += 1;
        return;
      }
      await this.visit(join(path, name), depth + 1);
    }
  }

  async #file(path: string, size: number): Promise<void> {
    const room = Math.min(this.#limits.fileBytes, this.#limits.allBytes - this.#bytes);
    if (this.#isFull()) {
      this.unsearched += 1;
      return;
    }
    if (size > room) this.unsearched += 1;
    // It may have become a link or a pipe since it was looked at.
    const file = await openRegularFile(path, { links: 'refused' });
    try {
      this.searchedFiles += 1;
      const stream = this.#open(path);
      const buffer = Buffer.allocUnsafe(pieceBytes);
      for (let at = 0; at < room; ) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(pieceBytes, room - at), at);
        if (bytesRead === 0) break;
        at += bytesRead;
        this.#bytes += bytesRead;
        this.#note(path, stream.feed(Buffer.from(buffer.subarray(0, bytesRead))));
      }
      this.#note(path, stream.end());
    } finally {
      await file.close();
    }
  }

  #note(path: string, hits: readonly CanaryHit[]): void {
    for (const hit of hits) {
      const isKnown = this.hits.some(
        (each) => each.path === path && each.id === hit.id && each.encoding === hit.encoding,
      );
      if (!isKnown && this.hits.length < mostHits) this.hits.push({ ...hit, path });
    }
  }
}

const mostHits = 1000;

export async function searchFiles(
  paths: readonly string[],
  openStream: (path: string) => Stream,
  limits: Partial<FileSearchLimits> = {},
): Promise<FileSearch> {
  const walk = new Walk({ ...usualFileLimits, ...limits }, openStream);
  for (const path of paths) await walk.visit(path, 0);
  const { hits, searchedFiles, unsearched } = walk;
  return { hits, searchedFiles, unsearched };
}
