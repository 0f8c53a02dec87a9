import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { describeError, HostError } from '../../../../base/errors.ts';
import { sha256 } from '../../../../base/fingerprint.ts';
import { mebibyte } from '../../../../base/limits.ts';
import type { Advisory } from './advisory.ts';
import { osvEcosystems, packageKey } from './match.ts';

/**
 * An offline OSV database, cut for looking up packages: one of 1,024 files by the hash of the package, and in it lines
 *
 *     npm:lodash <tab> {"id":"GHSA-…","affected":[…]}
 *
 * A lookup reads one small file; an import holds no more than its buffer.
 */

const shardCount = 1024;
const bufferBytes = 16 * mebibyte;
const largestShardBytes = 256 * mebibyte;
const formatVersion = 1;
const kept: ReadonlySet<string> = new Set(Object.values(osvEcosystems));

const metaSchema = z.strictObject({
  format: z.literal(formatVersion),
  importedAt: z.iso.datetime(),
  /** The newest `modified` of all records: how old the knowledge is, whatever the day of the import. */
  newestRecord: z.iso.datetime({ offset: true }).exactOptional(),
  records: z.number().int().min(0),
  skipped: z.number().int().min(0),
  withdrawn: z.number().int().min(0),
  /** About packages of ecosystems that Hotcell does not order, such as those of distributions. */
  elsewhere: z.number().int().min(0),
  ecosystems: z.array(z.string()),
});
export type OsvIndexMeta = z.infer<typeof metaSchema>;

export function shardOf(key: string): string {
  const number = Number.parseInt(sha256(key).slice(0, 8), 16) % shardCount;
  return `${number.toString(16).padStart(3, '0')}.tsv`;
}

/** Writes beside the place and moves into it at the end: an index is there whole or not at all. */
export class OsvIndexWriter {
  readonly #folder: string;
  readonly #draft: string;
  readonly #waiting = new Map<string, string[]>();
  #waitingBytes = 0;
  #counts = { records: 0, skipped: 0, withdrawn: 0, elsewhere: 0 };
  #newest: string | undefined;
  readonly #ecosystems = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#draft = `${folder}.new-${process.pid}`;
    rmSync(this.#draft, { recursive: true, force: true });
    mkdirSync(this.#draft, { recursive: true, mode: 0o700 });
  }

  skip(): void {
    this.#counts.skipped += 1;
  }

  add(advisory: Advisory): void {
    if (advisory.withdrawn !== undefined) {
      this.#counts.withdrawn += 1;
      return;
    }
    const affected = advisory.affected.filter(({ ecosystem }) => kept.has(ecosystem));
    if (affected.length === 0) {
      this.#counts.elsewhere += 1;
      return;
    }
    this.#counts.records += 1;
    const at = advisory.modified;
    if (
      at !== undefined &&
      !Number.isNaN(Date.parse(at)) &&
      (this.#newest === undefined || Date.parse(at) > Date.parse(this.#newest))
    )
      this.#newest = at;
    const keys = new Set(affected.map(({ ecosystem, name }) => packageKey(ecosystem, name)));
    for (const { ecosystem } of affected) this.#ecosystems.add(ecosystem);
    for (const key of keys) {
      // An advisory can be about hundreds of packages; each line carries what concerns its own.
      const own = affected.filter(({ ecosystem, name }) => packageKey(ecosystem, name) === key);
      this.#append(key, JSON.stringify({ ...advisory, affected: own }));
    }
  }

  #append(key: string, json: string): void {
    if (/[\t\n\r]/.test(key)) return;
    const shard = shardOf(key);
    const line = `${key}\t${json}\n`;
    const lines = this.#waiting.get(shard);
    if (lines === undefined) this.#waiting.set(shard, [line]);
    else lines.push(line);
    this.#waitingBytes += line.length;
    if (this.#waitingBytes >= bufferBytes) this.#flush();
  }

  #flush(): void {
    for (const [shard, lines] of this.#waiting)
      appendFileSync(join(this.#draft, shard), lines.join(''), { mode: 0o600 });
    this.#waiting.clear();
    this.#waitingBytes = 0;
  }

  finish(now: Date): OsvIndexMeta {
    this.#flush();
    const newest = this.#newest === undefined ? {} : { newestRecord: new Date(this.#newest).toISOString() };
    const meta: OsvIndexMeta = {
      format: formatVersion,
      importedAt: now.toISOString(),
      ...newest,
      ...this.#counts,
      ecosystems: [...this.#ecosystems].sort(),
    };
    writeFileSync(join(this.#draft, 'meta.json'), JSON.stringify(meta));
    rmSync(this.#folder, { recursive: true, force: true });
    renameSync(this.#draft, this.#folder);
    return meta;
  }

  /** Takes away a draft that was not finished. */
  close(): void {
    rmSync(this.#draft, { recursive: true, force: true });
  }
}

export function readIndexMeta(folder: string): OsvIndexMeta | undefined {
  const path = join(folder, 'meta.json');
  if (!existsSync(path)) return undefined;
  try {
    return metaSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new HostError(`cannot read the advisory database ${folder}: ${describeError(cause)}`, {
      cause,
      hint: 'import it again',
    });
  }
}

function readShard(path: string): string {
  if (!existsSync(path)) return '';
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size > largestShardBytes) throw new HostError(`cannot read ${path}: ${size} bytes`);
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; ) {
      const count = readSync(descriptor, bytes, at, size - at, at);
      if (count === 0) break;
      at += count;
    }
    return bytes.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Advisories of each package key; shards are read one after the other and not kept. */
export function lookUp(folder: string, keys: readonly string[]): ReadonlyMap<string, readonly Advisory[]> {
  const byShard = Map.groupBy(new Set(keys), shardOf);
  const found = new Map<string, Advisory[]>();
  for (const [shard, wanted] of byShard) {
    const text = readShard(join(folder, shard));
    for (const key of wanted) {
      const advisories: Advisory[] = [];
      const mark = `${key}\t`;
      for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
        if (at > 0 && text[at - 1] !== '\n') continue;
        const end = text.indexOf('\n', at);
        advisories.push(JSON.parse(text.slice(at + mark.length, end < 0 ? undefined : end)) as Advisory);
      }
      found.set(key, advisories);
    }
  }
  return found;
}
