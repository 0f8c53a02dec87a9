import { z } from 'zod';
import { describeError, HostError, UsageError } from '../../base/errors.ts';
import { storeLimits } from './limits.ts';

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'it does not fit';
  const where = z.core.toDotPath(issue.path.map(String));
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

export function checkKey(key: string): void {
  const why =
    key === ''
      ? 'it is empty'
      : !key.isWellFormed() || /\p{Cc}/u.test(key)
        ? 'it holds characters that cannot be kept'
        : Buffer.byteLength(key) > storeLimits.mostKeyBytes
          ? `it is longer than ${storeLimits.mostKeyBytes} bytes`
          : null;
  if (why !== null) throw new UsageError(`${JSON.stringify(key.slice(0, 100))} cannot name a document: ${why}`);
}

/** Schemas of objects and records leave this key out without a word; one of unknown values keeps it. */
const lostKey = '"__proto__":';

function isLossy(text: string, value: unknown): boolean {
  if (!text.includes(lostKey)) return false;
  return text.split(lostKey).length !== (JSON.stringify(value) ?? '').split(lostKey).length;
}

/** As it will be read again: what JSON cannot hold is noticed here and not by whoever reads it. */
export function writeValue<Schema extends z.ZodType>(
  schema: Schema,
  where: string,
  value: unknown,
): { readonly text: string; readonly value: z.output<Schema> } {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new UsageError(`${where} cannot be kept: ${describeError(cause)}`, { cause });
  }
  if (text === undefined) throw new UsageError(`${where} cannot be kept: there is no value`);
  const bytes = Buffer.byteLength(text);
  if (bytes > storeLimits.mostDocumentBytes) {
    throw new UsageError(`${where} has ${bytes} bytes, and ${storeLimits.mostDocumentBytes} can be kept`);
  }
  const parsed = schema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new UsageError(`${where} is not as its schema says: ${describeIssue(parsed.error)}`);
  if (isLossy(text, parsed.data)) throw new UsageError(`${where} cannot be kept: its schema drops the key __proto__`);
  return { text, value: parsed.data };
}

export function readValue<Schema extends z.ZodType>(schema: Schema, where: string, text: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new HostError(`${where} is damaged: ${describeError(cause)}`, { cause, hint: 'remove that document' });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HostError(`${where} is not as its schema says: ${describeIssue(parsed.error)}`, {
    hint: 'it may be from another version of Hotcell, or somebody has changed it by hand',
  });
}
