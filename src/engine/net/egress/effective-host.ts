import { addressBytes, canonicalAddress } from '../addresses.ts';

/**
 * A host as programs understand it: `2130706433`, `0x7f.1` and `127.1` all are 127.0.0.1 to them, so they are here.
 * Null for what is no host at all.
 */
export function effectiveHost(host: string): string | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  const known = addressBytes(bare);
  if (known !== null) return canonicalAddress(bare);
  if (!/^[a-z0-9._-]{1,253}\.?$/i.test(bare)) return null;
  try {
    const name = new URL(`http://${bare}/`).hostname.replace(/\.$/, '');
    // Every label has something in it: `.` alone, or two in a row, is no name.
    return name.split('.').includes('') ? null : canonicalAddress(name);
  } catch {
    return null;
  }
}
