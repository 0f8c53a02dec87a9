import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** layers.json: which folder may use what. */

const folderSchema = z.strictObject({
  /** Folders of the same floor that it may import. */
  neighbours: z.array(z.string()).default([]),
  /** npm packages that its code uses; each is really used. */
  packages: z.array(z.string()).default([]),
});

const houseSchema = z.strictObject({
  /** From the top down. Imports point down only. */
  floors: z.array(z.string()).min(1),
  /** Floors whose folders never import each other, whatever they declare. */
  separate: z.array(z.string()).default([]),
  /** Folders of the floors, such as `engine/box`; a floor without folders, such as `base`, stands for itself. */
  folders: z.record(z.string(), folderSchema),
  /** Folders beside the floors, with the packages that they use. They may import any floor. */
  outside: z.record(z.string(), z.strictObject({ packages: z.array(z.string()).default([]) })),
  /** Packages that every `*.test.ts` may use on top. */
  testPackages: z.array(z.string()),
  /** Folders beside the floors that every `*.test.ts` may import: samples, and what fetches the tools of tests. */
  testFolders: z.array(z.string()).default([]),
  largestSourceBytes: z.number().int().positive(),
});

export type House = z.infer<typeof houseSchema>;

export function readHouse(file: string): House {
  return houseSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
