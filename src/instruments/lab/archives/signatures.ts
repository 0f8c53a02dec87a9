/** First bytes of what is worth opening again when it lies inside an archive. */

interface Signature {
  readonly offset: number;
  readonly bytes: string;
  readonly format: string;
}

const signatures: readonly Signature[] = [
  { offset: 0, bytes: 'PK\x03\x04', format: 'zip' },
  { offset: 0, bytes: 'PK\x05\x06', format: 'zip' },
  { offset: 0, bytes: '7z\xbc\xaf\x27\x1c', format: '7z' },
  { offset: 0, bytes: 'Rar!\x1a\x07', format: 'rar' },
  { offset: 257, bytes: 'ustar', format: 'tar' },
  { offset: 0, bytes: '\x1f\x8b\x08', format: 'gzip' },
  { offset: 0, bytes: 'BZh', format: 'bzip2' },
  { offset: 0, bytes: '\xfd7zXZ\0', format: 'xz' },
  { offset: 0, bytes: '\x28\xb5\x2f\xfd', format: 'zstd' },
  { offset: 0, bytes: 'MSCF\0\0\0\0', format: 'cab' },
  { offset: 32_769, bytes: 'CD001', format: 'iso' },
  { offset: 0, bytes: '!<arch>\n', format: 'ar' },
  { offset: 0, bytes: '\xed\xab\xee\xdb', format: 'rpm' },
  { offset: 0, bytes: '070701', format: 'cpio' },
  { offset: 0, bytes: '070707', format: 'cpio' },
  { offset: 0, bytes: 'ITSF', format: 'chm' },
  { offset: 0, bytes: 'MSWIM\0\0\0', format: 'wim' },
  { offset: 0, bytes: '\x60\xea', format: 'arj' },
  { offset: 2, bytes: '-lh', format: 'lzh' },
];

export function archiveSignature(bytes: Uint8Array): string | null {
  const found = signatures.find(({ offset, bytes: wanted }) => {
    if (bytes.length < offset + wanted.length) return false;
    for (let at = 0; at < wanted.length; at += 1) if (bytes[offset + at] !== wanted.charCodeAt(at)) return false;
    return true;
  });
  return found?.format ?? null;
}

/** Forms that hold one stream, so that a `.tar.gz` is one archive to whoever opens it. */
export const singleStreamFormats: ReadonlySet<string> = new Set(['gzip', 'bzip2', 'xz', 'zstd', 'lzma', 'z', 'rpm']);
export const wrappedFormats: ReadonlySet<string> = new Set(['tar', 'cpio', 'gzip', 'bzip2', 'xz', 'zstd']);
