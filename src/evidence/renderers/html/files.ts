import type { Analysis } from '../../../base/analysis-schema.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { chip, count, duration, longTable, section } from './pieces.ts';
import type { Tone } from './tones.ts';

type FileUse = Analysis['files'][number];

const shown = 12;
const words: Readonly<Record<FileUse['is'], readonly [word: string, tone: Tone]>> = {
  decoy: ['bait', 'critical'],
  own: ['its own', 'plain'],
  system: ['of the system', 'plain'],
  other: ['other', 'low'],
};

/** Bait first, then what it wrote, then what it read. */
function weight({ is, access }: FileUse): number {
  const sorts: readonly FileUse['is'][] = ['decoy', 'other', 'own', 'system'];
  return 2 * sorts.indexOf(is) + (access === 'read' ? 1 : 0);
}

export function filesSection({ files, leftOut }: Analysis, prefix: string): Markup {
  if (files.length === 0) return nothing;
  const rows = files
    .toSorted((one, other) => weight(one) - weight(other) || one.firstMs - other.firstMs)
    .map(({ path, access, is, count: times, phase, firstMs, event }) => [
      chip(words[is][0], words[is][1]),
      access,
      markup`<code>${cut(path, 300)}</code>`,
      `${times.toLocaleString('en')}×`,
      markup`${phase}, ${duration(firstMs)} <span class="seq">#${event}</span>`,
    ]);
  const columns = [
    { title: 'is' },
    { title: 'access' },
    { title: 'file' },
    { title: 'times', isNumber: true },
    { title: 'first' },
  ];
  const bait = files.filter(({ is }) => is === 'decoy').length;
  const more = leftOut.files === undefined ? '' : `; ${leftOut.files.toLocaleString('en')} more are only in the log`;
  const note = `${count(files.length, 'file')}${bait === 0 ? ', no bait among them' : `, ${bait} of them bait`}${more}.`;
  return section(
    `${prefix}-files`,
    'Files',
    longTable({ columns, whenNarrow: 'line' }, rows, Math.max(shown, Math.min(bait, 40)), 'files'),
    note,
  );
}
