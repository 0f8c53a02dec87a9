import type { Description } from './describe.ts';

/** What the live view keeps of one process: where it stands, and what it did that was not worth a line each. */

/** Of a row of reads in one folder so many are shown one by one. */
const mostOfFolder = 4;

export const countedSorts = ['system', 'package', 'failed'] as const;
export type CountedSort = (typeof countedSorts)[number];

/** Lines that may stand for many of their kind. */
export interface Folder {
  readonly path: string;
  readonly verb: string;
}

interface Row {
  readonly key: string;
  last: Description;
  folder: Folder | null;
  shown: number;
  /** Of the last line, and of others in the folder. */
  same: number;
  more: number;
}

const textOfLine = ({ verb, subject, detail }: Description): string => `${verb}\n${subject}\n${detail}`;

export class LiveProcess {
  readonly depth: number;
  /** Whether a line has said that it exists. */
  isShown = false;
  /** The wire tells of a process a little later than the system calls, also when it has ended. */
  isEnded = false;
  #counts: Record<CountedSort, number> = { system: 0, package: 0, failed: 0 };
  #row: Row | null = null;
  #flushedNs: bigint;

  constructor(depth: number, nowNs: bigint) {
    this.depth = depth;
    this.#flushedNs = nowNs;
  }

  count(sort: CountedSort): void {
    this.#counts[sort] += 1;
  }

  /** Whether what is held back is older than so many nanoseconds. */
  isDue(nowNs: bigint, afterNs: bigint): boolean {
    return nowNs - this.#flushedNs >= afterNs;
  }

  /** The lines to show for one more: none when it is folded, and before another row the count of the last. */
  add(line: Description, folder: Folder | null): readonly Description[] {
    const row = this.#row;
    const key = folder === null ? textOfLine(line) : `${folder.verb}\n${folder.path}`;
    if (row === null || row.key !== key) {
      const before = this.#endRow();
      this.#row = { key, last: line, folder, shown: 1, same: 0, more: 0 };
      return [...before, line];
    }
    if (textOfLine(row.last) === textOfLine(line)) {
      row.same += 1;
      return [];
    }
    if (row.shown >= mostOfFolder) {
      row.more += 1;
      return [];
    }
    const before = sameLine(row);
    Object.assign(row, { last: line, shown: row.shown + 1, same: 0 });
    return [...before, line];
  }

  #endRow(): readonly Description[] {
    const row = this.#row;
    this.#row = null;
    return row === null ? [] : [...sameLine(row), ...moreLine(row)];
  }

  /** Everything that was held back. The row goes on: its next line is still one of many. */
  flush(nowNs: bigint, isLast: boolean): readonly Description[] {
    this.#flushedNs = nowNs;
    const row = this.#row;
    const rowLines = row === null ? [] : [...sameLine(row), ...moreLine(row)];
    if (isLast) this.#row = null;
    else if (row !== null) Object.assign(row, { same: 0, more: 0 });
    const counts = this.#counts;
    this.#counts = { system: 0, package: 0, failed: 0 };
    return [...rowLines, ...countedSorts.flatMap((sort) => countLine(sort, counts[sort]))];
  }
}

const quietLine = (subject: string): Description => ({ verb: '', subject, detail: '', tone: 'quiet', cut: 'path' });

function sameLine({ last, same }: Row): readonly Description[] {
  if (same === 0) return [];
  return [{ ...last, detail: `${same === 1 ? 'once' : `${same} times`} more`, isDetailVital: true }];
}

function moreLine({ folder, more }: Row): readonly Description[] {
  return more === 0 || folder === null ? [] : [quietLine(`+ ${more} more: ${folder.verb} in ${folder.path}`)];
}

const countWords: Readonly<Record<CountedSort, readonly [one: string, many: string]>> = {
  system: ['read of a system file', 'reads of system files'],
  package: ['read of an installed package', 'reads of installed packages'],
  failed: ['open that failed', 'opens that failed'],
};

function countLine(sort: CountedSort, count: number): readonly Description[] {
  const [one, many] = countWords[sort];
  return count === 0 ? [] : [quietLine(`+ ${count} ${count === 1 ? one : many}`)];
}
