import { z } from 'zod';

/** Fields that several tools of guard have. */

export const handleField = z
  .string()
  .max(40)
  .regex(/^sp_[0-9a-f]{24}$/, 'a handle such as sp_0123456789abcdef01234567')
  .describe('the handle that register_subprocess gave');

export const serverName = z.string().min(1).max(200);
/** As long as spelling out what cannot be seen may make a text. */
export const shownText = z.string().max(65_536);
export const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
export const digits = (length: number) => z.string().length(length);
export const moment = z.string().max(40);

export const sampleHandle = 'sp_0123456789abcdef01234567';
