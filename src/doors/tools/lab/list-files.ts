import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { bytesCount, short, untrustedText } from './fields.ts';

const mostEntries = 5000;

/** `rwxr-x---`, with the marks of set-id and sticky. */
function modeText(mode: number): string {
  const marks = ['x', 'w', 'r'];
  const letters = Array.from({ length: 9 }, (_, at) => {
    const bit = 8 - at;
    return (mode >> bit) & 1 ? (marks[bit % 3] ?? '-') : '-';
  });
  return letters.join('');
}

export const listFiles = defineLabTool({
  name: 'list_files',
  title: 'Files of the lab',
  description:
    'Lists one folder of the samples or of the output, by name. Names are untrusted. Folders are not entered.',
  input: z.strictObject({
    directory: z.enum(['samples', 'output']).default('samples').describe('which of the two folders'),
    below: z.string().max(4096).default('').describe('a folder inside it'),
    offset: z.number().int().min(0).max(mostEntries).default(0).describe('leave out so many entries'),
    limit: z.number().int().min(1).max(1000).default(200).describe('at most so many entries'),
  }),
  data: z.strictObject({
    directory: z.enum(['samples', 'output']),
    path: short,
    entries: z
      .array(
        z.strictObject({
          name: untrustedText(4096),
          size: bytesCount,
          date: z.string().max(64),
          type: z.enum(['file', 'directory', 'symlink', 'other']),
          permissions: z.string().max(16),
          link_target: untrustedText(16_384).optional(),
        }),
      )
      .max(1000),
    entry_count: bytesCount.describe('in all; more than 5000 are not counted'),
    has_more: z.boolean(),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 2 * minuteMs, outputBytes: 1024 * kibibyte },
  examples: [
    { input: {}, says: 'the samples' },
    { input: { directory: 'output', below: '0123456789abcdef/inner' }, says: 'what came out of one sample' },
  ],
  async handle({ directory, below, offset, limit }, { open, signal, out }) {
    const { path, entries, hasMore } = await open.samples.list(directory, below, mostEntries, signal);
    const shown = entries.slice(offset, offset + limit);
    const types = { file: 'file', folder: 'directory', link: 'symlink', other: 'other' } as const;
    const lines = shown.map(({ name, type, sizeBytes }) => `${type === 'folder' ? 'folder' : `${sizeBytes}`}\t${name}`);
    out.say(`${entries.length}${hasMore ? ' or more' : ''} entries in ${path}.`);
    if (lines.length > 0) out.quote({ label: 'names of files', text: lines.join('\n') });
    return {
      directory,
      path: visibleText(path, 1000),
      entries: shown.map(({ name, type, sizeBytes, mode, changedAt, linkTarget }) => ({
        name: visibleText(name, 1000),
        size: sizeBytes,
        date: changedAt,
        type: types[type],
        permissions: modeText(mode),
        ...(linkTarget === undefined ? {} : { link_target: visibleText(linkTarget, 1000) }),
      })),
      entry_count: entries.length,
      has_more: hasMore || offset + limit < entries.length,
    };
  },
});
