/** What a piece of a file begins with, for hints about overlays and resources. The real recognition happens on children. */
const beginnings: readonly (readonly [string, string])[] = [
  ['4d5a', 'Windows executable'],
  ['7f454c46', 'ELF executable'],
  ['cffaedfe', 'Mach-O executable'],
  ['cefaedfe', 'Mach-O executable'],
  ['504b0304', 'ZIP archive'],
  ['526172211a07', 'RAR archive'],
  ['377abcaf271c', '7-Zip archive'],
  ['4d534346', 'Windows cabinet'],
  ['1f8b08', 'gzip data'],
  ['425a68', 'bzip2 data'],
  ['fd377a585a00', 'xz data'],
  ['28b52ffd', 'Zstandard data'],
  ['255044462d', 'PDF document'],
  ['d0cf11e0a1b11ae1', 'OLE2 compound file'],
  ['7b5c727466', 'RTF document'],
  ['89504e470d0a1a0a', 'PNG picture'],
  ['ffd8ff', 'JPEG picture'],
  ['47494638', 'GIF picture'],
  ['4c0000000114020000000000c000000000000046', 'Windows shortcut'],
  ['53514c69746520666f726d6174', 'SQLite database'],
  ['3c3f786d6c', 'XML document'],
  ['62706c697374', 'binary property list'],
];

export function contentHint(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 24)).toString('hex');
  return beginnings.find(([magic]) => start.startsWith(magic))?.[1] ?? null;
}
