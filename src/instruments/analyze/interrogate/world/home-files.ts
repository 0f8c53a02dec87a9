import { z } from 'zod';
import type { Event } from '../../../../base/event-schema.ts';
import { readRules } from '../../../../base/rules-folder.ts';
import { fillValue } from '../arguments/template.ts';
import { pathOf } from '../trials/event-text.ts';

/** Settings in the home folder that known servers read, and whether one of them gave a server its boundary. */

const fileSchema = z.strictObject({
  note: z.string(),
  files: z.array(
    z.strictObject({
      path: z.string().regex(/^[\w.-]+(?:\/[\w.-]+)*$/),
      for: z.string().min(1),
      confines: z.boolean(),
      /** A text, or JSON that is written as such. */
      content: z.unknown(),
    }),
  ),
});

export interface HomeFile {
  /** In the box. */
  readonly path: string;
  readonly content: Buffer;
  readonly confines: boolean;
}

export function homeFiles(home: string, names: Readonly<Record<string, string>>): readonly HomeFile[] {
  const { files } = readRules('world/home-files.json', fileSchema);
  return files.flatMap(({ path, confines, content }) => {
    const filled = fillValue(content, names);
    if (filled === undefined) return [];
    const text = typeof filled === 'string' ? filled : `${JSON.stringify(filled, null, 2)}\n`;
    return [{ path: `${home}/${path}`, content: Buffer.from(text), confines }];
  });
}

/** Whether the target was told where to keep to by a file that was planted for it. */
export function isConfinedByHome(home: string, events: readonly Event[]): boolean {
  const confining = new Set(homeFiles(home, { root: '/' }).flatMap(({ path, confines }) => (confines ? [path] : [])));
  return events.some(({ kind, fields }) => kind === 'open' && confining.has(pathOf(fields.path) ?? ''));
}
