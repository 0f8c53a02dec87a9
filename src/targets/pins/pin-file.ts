import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, fingerprint, sha256 } from '../../base/fingerprint.ts';
import { mebibyte } from '../../base/limits.ts';
import { readRegularFile } from '../../base/regular-file.ts';
import { type Pin, pinSchema } from './contract.ts';

/** Pins on disk. A pin that cannot be read is none: the worst that follows is a comparison less. */

const mostBytes = 32 * mebibyte;

/** A hash, since a target chooses its own name. */
export function pinPath(folder: string, subject: string): string {
  return join(folder, `${sha256(subject).slice(0, 40)}.json`);
}

/** Null where there is none, or none that is whole and about this. */
export async function readPin(folder: string, subject: string): Promise<Pin | null> {
  try {
    const { bytes, isWhole } = await readRegularFile(pinPath(folder, subject), { mostBytes, links: 'refused' });
    if (!isWhole) return null;
    const pin = pinSchema.parse(JSON.parse(bytes.toString()));
    return pin.subject === subject && pin.fingerprint === fingerprint(pin.listing) ? pin : null;
  } catch {
    return null;
  }
}

/** Whole or not at all. Returns false where the pin is larger than what is kept. */
export async function writePin(folder: string, pin: Pin): Promise<boolean> {
  const text = `${canonicalJson(pin)}\n`;
  if (Buffer.byteLength(text) > mostBytes) return false;
  const path = pinPath(folder, pin.subject);
  const fresh = `${path}.${randomBytes(6).toString('hex')}.new`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const file = await open(fresh, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (cause) {
    await unlink(fresh).catch(() => {});
    throw cause;
  }
  return true;
}
