import { z } from 'zod';
import { severities } from '../../base/finding-schema.ts';
import { readRules } from '../../base/rules-folder.ts';
import { checksum62 } from '../../engine/decoy/vendors/checksum.ts';

const formatSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  keyword: z.string().min(1),
  pattern: z.string().min(1),
  checksum: z.enum(['crc32-base62']).exactOptional(),
  severity: z.enum(severities),
});
const fileSchema = z.strictObject({ note: z.string(), formats: z.array(formatSchema) });

export interface SecretFormat extends Omit<z.infer<typeof formatSchema>, 'pattern'> {
  readonly pattern: RegExp;
}

/** The last six characters of the token check those between them and the prefix. */
function passesCrc32(token: string): boolean {
  const body = token.slice(token.indexOf('_') + 1);
  return checksum62(body.slice(0, -6)) === body.slice(-6);
}

export function isGenuine(format: Pick<SecretFormat, 'checksum'>, token: string): boolean {
  return format.checksum === undefined || passesCrc32(token);
}

/** Not in the middle of a longer word: that is a hash, an id or an encoded text that happens to hold the letters. */
export function readFormats(): readonly SecretFormat[] {
  return readRules('secrets/formats.json', fileSchema).formats.map(({ pattern, ...rest }) => ({
    ...rest,
    pattern: new RegExp(`(?<![A-Za-z0-9_-])(?:${pattern})(?![A-Za-z0-9_-])`, 'g'),
  }));
}
