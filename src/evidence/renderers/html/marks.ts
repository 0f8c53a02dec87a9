import type { Analysis } from '../../../base/analysis-schema.ts';
import { brief } from './markup.ts';

/** The moments that matter: bait that was read, secrets that left. They get numbers, and a list below the picture. */
export interface Mark {
  readonly number: number;
  readonly ms: number;
  readonly lane: 'files' | 'network';
  readonly text: string;
}

const mostMarks = 12;
/** However much bait was touched, what left is told. */
const mostLeaks = 6;
const longestName = 90;

export function marksOf({ files, hosts }: Pick<Analysis, 'files' | 'hosts'>): readonly Mark[] {
  const read = files
    .filter(({ is }) => is === 'decoy')
    .map(({ path, access, firstMs, count }) => ({
      ms: firstMs,
      lane: 'files' as const,
      text: `bait ${access === 'read' ? 'was read' : access === 'write' ? 'was written' : 'was removed'}${count > 1 ? `, ${count} times` : ''}: ${brief(path, longestName, 'end')}`,
    }));
  const left = hosts
    .filter(({ leaks }) => leaks > 0)
    .map(({ host, leaks, firstMs }) => ({
      ms: firstMs,
      lane: 'network' as const,
      text: `${leaks === 1 ? 'a secret' : `${leaks} secrets`} left for ${brief(host, longestName, 'end')}, first spoken to then`,
    }));
  const kept = [...left.slice(0, mostLeaks), ...read].slice(0, mostMarks);
  return kept.toSorted((one, other) => one.ms - other.ms).map((mark, at) => ({ ...mark, number: at + 1 }));
}
