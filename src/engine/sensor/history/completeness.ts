import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Completeness, completenessSchema, isComplete } from '../../../base/event-schema.ts';
import { listOf, recordOf } from './field-text.ts';

/** What the sensors of a run said about themselves when it ended. */

export const completenessFileName = 'completeness.json';

export type RunCompleteness =
  | {
      readonly is: 'known';
      readonly sensors: readonly Completeness[];
      /** How often the search for canaries left something out, by reason. */
      readonly search?: Readonly<Record<string, number>>;
    }
  | { readonly is: 'unknown'; readonly because: string };

/** A list of sensors, or a record with such a list under `sensors`. */
export function parseCompleteness(text: string): RunCompleteness {
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value) ? value : listOf(recordOf(value).sensors);
    const sensors = list.map((each) => completenessSchema.parse(each));
    const search = Object.entries(recordOf(recordOf(value).search)).flatMap(([reason, times]) =>
      typeof times === 'number' && times > 0 ? [[reason, times] as const] : [],
    );
    const more = search.length === 0 ? {} : { search: Object.fromEntries(search) };
    if (sensors.length > 0) return { is: 'known', sensors, ...more };
    return { is: 'unknown', because: `${completenessFileName} names no sensor` };
  } catch {
    return { is: 'unknown', because: `${completenessFileName} cannot be understood` };
  }
}

export async function readCompleteness(folder: string): Promise<RunCompleteness> {
  try {
    return parseCompleteness(await readFile(join(folder, completenessFileName), 'utf8'));
  } catch {
    return { is: 'unknown', because: `there is no ${completenessFileName} beside the events` };
  }
}

/** Why "no events" of this sensor would not mean that nothing happened. Empty for one that saw everything. */
export function whyIncomplete(completeness: Completeness): readonly string[] {
  if (isComplete(completeness)) return [];
  const { attachedBeforeExec, dropped, missingPoints, heartbeats, diedAt } = completeness;
  return [
    ...(attachedBeforeExec ? [] : ['was attached after the start']),
    ...(dropped > 0 ? [`dropped ${dropped}`] : []),
    ...(missingPoints.length > 0 ? [`cannot see ${missingPoints.join(', ')}`] : []),
    ...(heartbeats.seen < heartbeats.expected ? [`saw ${heartbeats.seen} of ${heartbeats.expected} heartbeats`] : []),
    ...(diedAt === undefined ? [] : [`died at ${diedAt}`]),
  ];
}
