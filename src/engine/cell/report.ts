import { z } from 'zod';
import { type Completeness, completenessSchema, isComplete } from '../../base/event-schema.ts';

/** `completeness.json` of a run: whether its silence means anything. */

export const completenessReportSchema = z.strictObject({
  run: z.string().min(1).max(64),
  isComplete: z.boolean(),
  sensors: z.array(completenessSchema),
  /** What the search for canaries left out. */
  search: z.record(z.string(), z.number()).exactOptional(),
  /** Files on the disk of the box that were not searched, because they are many or large. They have not left it. */
  unsearchedFiles: z.number().int().min(0).exactOptional(),
  capture: z
    .strictObject({
      packets: z.number(),
      dropped: z.number().nullable(),
      leftOut: z.number(),
      problem: z.string().nullable(),
    })
    .nullable(),
});
export type CompletenessReport = z.infer<typeof completenessReportSchema>;

export function reportOf(
  run: string,
  sensors: readonly Completeness[],
  rest: Pick<CompletenessReport, 'capture' | 'search' | 'unsearchedFiles'>,
): CompletenessReport {
  const isSearched = Object.values(rest.search ?? {}).every((count) => count === 0);
  return { run, isComplete: sensors.every(isComplete) && isSearched, sensors: [...sensors], ...rest };
}

/** A backend without a sensor on system calls: whatever the target did there is unknown. */
export function unwatched(backend: string): Completeness {
  return {
    source: 'system-calls',
    attachedBeforeExec: false,
    received: 0,
    dropped: 0,
    merged: 0,
    truncated: 0,
    missingPoints: [`no sensor for a ${backend} box`],
    heartbeats: { expected: 0, seen: 0 },
  };
}

export function completenessJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(completenessReportSchema, { target: 'draft-2020-12' }),
    title: 'Hotcell completeness',
    description: 'completeness.json of a run: whether what is not in its events did not happen.',
  };
}
