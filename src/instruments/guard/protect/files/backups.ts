import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../../../base/fingerprint.ts';
import { mebibyte } from '../../../../base/limits.ts';
import type { ConfigFile } from './read-file.ts';
import { syncFolder } from './replace-file.ts';

/**
 * What files were before they were changed: `<home>/guard/backups/<path>-<time>-<random>.json` says which file and what
 * it was, `.bytes` beside it is the file. Only the owner may read them: there are secrets in such files.
 */

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const recordSchema = z.strictObject({
  version: z.literal(1),
  path: z.string().max(4096),
  real: z.string().max(4096),
  link: z.string().max(4096).nullable(),
  before: hash,
  after: hash,
  mode: z.number().int().min(0).max(0o7777),
  userId: z.number().int(),
  groupId: z.number().int(),
  at: z.iso.datetime(),
  servers: z.array(z.string()).max(10_000),
  /** Set when the change was taken back in another way than by this backup. */
  undoneAt: z.iso.datetime().nullable(),
});

export interface Backup extends z.output<typeof recordSchema> {
  /** Of both files, without the ending. */
  readonly name: string;
}

const mostRecords = 10_000;
const mostUndone = 10;

export class Backups {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, 'guard', 'backups');
  }

  get folder(): string {
    return this.#folder;
  }

  async save(file: ConfigFile, after: Buffer, servers: readonly string[], now: Date): Promise<Backup> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const time = String(now.getTime()).padStart(15, '0');
    const name = `${sha256(file.real).slice(0, 16)}-${time}-${randomBytes(4).toString('hex')}`;
    const { path, real, link, mode, userId, groupId } = file;
    const record = {
      version: 1 as const,
      path,
      real,
      link,
      before: file.sha256,
      after: sha256(after),
      mode,
      userId,
      groupId,
    };
    const whole = { ...record, at: now.toISOString(), servers: [...servers], undoneAt: null };
    await this.#write(`${name}.bytes`, file.bytes);
    await this.#write(`${name}.json`, Buffer.from(`${JSON.stringify(whole, null, 2)}\n`));
    await syncFolder(this.#folder);
    return { ...whole, name };
  }

  /** Those of a file, or all, from the oldest on. What cannot be read is none. */
  async list(real?: string): Promise<readonly Backup[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const prefix = real === undefined ? '' : sha256(real).slice(0, 16);
    const wanted = names
      .filter((name) => name.endsWith('.json') && name.startsWith(prefix))
      .sort()
      .slice(-mostRecords);
    const found: Backup[] = [];
    for (const file of wanted) {
      const record = await this.#readRecord(file);
      if (record !== null && (real === undefined || record.real === real)) found.push(record);
    }
    return found.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  }

  /** The bytes as they were; null where they are lost or not those any more. */
  async bytesOf({ name, before }: Backup): Promise<Buffer | null> {
    const bytes = await readFile(join(this.#folder, `${name}.bytes`)).catch(() => null);
    return bytes !== null && sha256(bytes) === before ? bytes : null;
  }

  async remove({ name }: Backup): Promise<void> {
    for (const ending of ['json', 'bytes']) await unlink(join(this.#folder, `${name}.${ending}`)).catch(() => {});
  }

  /** Kept, for somebody may want to look; the oldest of many go. */
  async markUndone(backup: Backup, now: Date): Promise<void> {
    const { name, ...record } = backup;
    const text = `${JSON.stringify({ ...record, undoneAt: now.toISOString() }, null, 2)}\n`;
    const fresh = `${name}.${randomBytes(4).toString('hex')}.new`;
    await this.#write(fresh, Buffer.from(text));
    await rename(join(this.#folder, fresh), join(this.#folder, `${name}.json`));
    const undone = (await this.list(backup.real)).filter(({ undoneAt }) => undoneAt !== null);
    for (const old of undone.slice(0, -mostUndone)) await this.remove(old);
  }

  async #write(name: string, bytes: Buffer): Promise<void> {
    const handle = await open(join(this.#folder, name), 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async #readRecord(file: string): Promise<Backup | null> {
    try {
      const bytes = await readFile(join(this.#folder, file));
      if (bytes.length > mebibyte) return null;
      return { ...recordSchema.parse(JSON.parse(bytes.toString('utf8'))), name: file.slice(0, -'.json'.length) };
    } catch {
      return null;
    }
  }
}
