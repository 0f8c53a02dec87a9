import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint } from '../../../base/fingerprint.ts';
import { type LabReport, labReportSchema } from '../report/schema.ts';

/** Results by content: the same bytes looked at by the same analysers and the same programs are not looked at again. */

const mostKept = 500;

export interface CacheKey {
  readonly sha256: string;
  /** Everything else that a result depends on. */
  readonly depends: unknown;
}

export class AnalysisCache {
  readonly #folder: string;

  constructor(homeFolder: string) {
    this.#folder = join(homeFolder, 'lab', 'analyses');
  }

  #file({ sha256, depends }: CacheKey): string {
    return join(this.#folder, `${sha256}-${fingerprint(depends).slice(0, 32)}.json`);
  }

  /** A file that cannot be read or does not fit any more is as good as none. */
  async find(key: CacheKey): Promise<LabReport | null> {
    try {
      const read = labReportSchema.safeParse(JSON.parse(await readFile(this.#file(key), 'utf8')));
      return read.success ? read.data : null;
    } catch {
      return null;
    }
  }

  async keep(key: CacheKey, report: LabReport): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#file(key);
    const beside = `${file}.${process.pid}.${Date.now()}`;
    await writeFile(beside, JSON.stringify(report), { mode: 0o600, flag: 'wx' });
    await rename(beside, file);
    await this.#forgetOldest();
  }

  async #forgetOldest(): Promise<void> {
    const names = await readdir(this.#folder);
    if (names.length <= mostKept) return;
    const aged = await Promise.all(
      names.map(async (name) => ({
        name,
        at: await stat(join(this.#folder, name)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      })),
    );
    const oldest = aged.toSorted((left, right) => left.at - right.at).slice(0, names.length - mostKept);
    await Promise.all(oldest.map(({ name }) => rm(join(this.#folder, name), { force: true })));
  }
}
