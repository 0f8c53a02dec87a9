import { untrusted } from '../../../base/untrusted.ts';
import { type ArchiveIssue, type ArchiveIssueId, archiveIssues } from './contract.ts';

const entryCapBytes = 512;

/** Ends the work on an archive. The issue is in the list already; this never leaves the folder. */
export class StopUnpacking extends Error {}

/** Issues with a cap: an archive of a million wrong entries does not become a million records. */
export interface IssueList {
  readonly issues: ArchiveIssue[];
  dropped: number;
  isComplete: boolean;
  add(id: ArchiveIssueId, entry: Uint8Array | string, what: string): void;
  /** Records it and ends the work. */
  stop(id: ArchiveIssueId, entry: Uint8Array | string, what: string): never;
}

export function createIssueList(most: number): IssueList {
  const list: IssueList = {
    issues: [],
    dropped: 0,
    isComplete: true,
    add(id, entry, what) {
      const isStop = archiveIssues[id] === 'stop';
      if (isStop) list.isComplete = false;
      if (list.issues.length >= most && !isStop) list.dropped += 1;
      else list.issues.push({ id, entry: untrusted(entry, entryCapBytes), what });
    },
    stop(id, entry, what) {
      list.add(id, entry, what);
      throw new StopUnpacking(what);
    },
  };
  return list;
}
