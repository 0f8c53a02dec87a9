import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { describeError, HostError } from './errors.ts';

/** `rules/` lies beside `src/` and beside `dist/`, so the way to it is the same from both. */
const folder = new URL('../../rules/', import.meta.url);

/** Reads one data file of Hotcell's own rules. One that is broken is our fault, and nothing is judged without it. */
export function readRules<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
  } catch (cause) {
    throw new HostError(`cannot read rules/${name}: ${describeError(cause)}`, { cause });
  }
}

/** For data that somebody reads in their own way. */
export function rulesFile(name: string): URL {
  return new URL(name, folder);
}
