import type { ComponentHash } from './graph.ts';

/** Hashes as lock files write them, and the length that each must have: a wrong one is left out, never passed on. */
const algorithms: Readonly<Record<string, { readonly name: ComponentHash['algorithm']; readonly hexLength: number }>> =
  {
    md5: { name: 'MD5', hexLength: 32 },
    sha1: { name: 'SHA-1', hexLength: 40 },
    sha256: { name: 'SHA-256', hexLength: 64 },
    sha384: { name: 'SHA-384', hexLength: 96 },
    sha512: { name: 'SHA-512', hexLength: 128 },
  };

function hashOf(algorithm: string, hex: string): readonly ComponentHash[] {
  const known = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : undefined;
  const isHex = known !== undefined && hex.length === known.hexLength && /^[0-9a-f]+$/.test(hex);
  return isHex ? [{ algorithm: known.name, hex }] : [];
}

/** Subresource integrity: `sha512-<base64>`, several divided by blanks. */
export function hashesOfIntegrity(integrity: unknown): readonly ComponentHash[] {
  if (typeof integrity !== 'string' || integrity.length > 4096) return [];
  return integrity.split(/\s+/).flatMap((part) => {
    const match = /^(md5|sha1|sha256|sha384|sha512)-([A-Za-z0-9+/]+={0,2})$/.exec(part.split('?', 1)[0] ?? '');
    return match === null ? [] : hashOf(match[1] ?? '', Buffer.from(match[2] ?? '', 'base64').toString('hex'));
  });
}

/** `sha256:<hex>`, as pip, Poetry, uv and Pipenv write it. */
export function hashesOfDigests(digests: readonly unknown[]): readonly ComponentHash[] {
  return digests.flatMap((digest) => {
    const match = typeof digest === 'string' ? /^(md5|sha1|sha256|sha384|sha512)[:=]([0-9a-f]+)$/i.exec(digest) : null;
    return match === null ? [] : hashOf((match[1] ?? '').toLowerCase(), (match[2] ?? '').toLowerCase());
  });
}

/** `https://…/name.tgz#<sha1>`, the only hash of the first yarn lock files. */
export function hashesOfFragment(url: unknown): readonly ComponentHash[] {
  const match = typeof url === 'string' ? /#([0-9a-f]{40})$/.exec(url) : null;
  return match === null ? [] : hashOf('sha1', match[1] ?? '');
}
