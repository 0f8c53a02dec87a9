import { z } from 'zod';
import { depths } from '../../../instruments/lab/contract.ts';

/** Fields that several tools of the lab have in common. */

export const fileField = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => !text.includes('\0'), 'text without NUL')
  .describe(
    'name of a sample below the samples folder (or %OUTPUT%/… for the output folder), or an absolute path where those are allowed',
  );

export const depthField = z
  .enum(depths)
  .default('standard')
  .describe('quick looks for seconds, standard for a minute or two, deep takes what it needs');

export const passwordsField = z
  .array(z.string().min(1).max(256))
  .max(32)
  .default([])
  .describe('tried on what is encrypted, before infected, malware, virus and the name of the file');

export const bytesCount = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
export const digest = (length: 32 | 40 | 64) => z.string().max(length);
export const short = z.string().max(4096);
/** Text of a sample or of a tool that read one: what cannot be seen is spelled out. */
export const untrustedText = (most: number) => z.string().max(most).describe('untrusted');
/** One record whose fields are told in the reference. */
export const record = z.record(z.string().max(4096), z.unknown());
export const timeField = (usual: string) =>
  z
    .number()
    .min(1)
    .max(3600)
    .optional()
    .describe(`everything that the command started is ended after so many seconds; default ${usual}`);
