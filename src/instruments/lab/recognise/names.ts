import { type KindId, kindTitles } from '../kinds.ts';

/** What the ending of a name claims. The first kind is the usual one; the others are fine, too. */
const endings: readonly (readonly [string, readonly KindId[]])[] = [
  ['exe dll sys scr cpl ocx drv efi com', ['pe', 'dotnet']],
  ['so ko', ['elf']],
  ['dylib', ['macho']],
  ['wasm', ['wasm']],
  ['pdf', ['pdf']],
  ['doc xls ppt dot xlt pps', ['ole2', 'office-encrypted', 'rtf']],
  ['docx docm dotx dotm xlsx xlsm xlsb xltx xltm pptx pptm ppsx potx', ['ooxml', 'office-encrypted']],
  ['rtf', ['rtf']],
  ['one onetoc2', ['onenote']],
  ['msi msp mst', ['msi']],
  ['msg', ['msg']],
  ['eml', ['eml']],
  ['lnk', ['lnk']],
  ['js mjs cjs', ['javascript', 'json', 'text']],
  ['vbs bas', ['vbscript', 'text']],
  ['vbe jse', ['vbe']],
  ['ps1 psm1 psd1', ['powershell', 'text']],
  ['bat cmd', ['batch', 'text']],
  ['sh bash', ['shell', 'text']],
  ['py pyw', ['python', 'text']],
  ['pl pm', ['perl', 'text']],
  ['hta', ['hta', 'html']],
  ['html htm xhtml', ['html', 'hta', 'xml']],
  ['svg', ['svg']],
  ['wsf', ['wsf', 'xml']],
  ['xml', ['xml', 'svg', 'html', 'ooxml']],
  ['json', ['json']],
  ['php', ['php', 'html', 'text']],
  ['rb', ['ruby', 'text']],
  ['au3 a3x', ['autoit', 'text']],
  ['pyc pyo', ['pyc']],
  ['jar war ear', ['jar', 'zip']],
  ['class', ['class']],
  ['apk', ['apk']],
  ['dex', ['dex']],
  ['pcap pcapng cap', ['pcap']],
  ['etl', ['etl']],
  ['zip', ['zip', 'jar', 'apk', 'ooxml']],
  ['7z', ['7z']],
  ['rar', ['rar']],
  ['tar', ['tar']],
  ['gz tgz', ['gzip']],
  ['bz2', ['bzip2']],
  ['xz', ['xz']],
  ['zst', ['zstd']],
  ['cab', ['cab']],
  ['iso', ['iso']],
  ['chm', ['chm']],
  ['dmp vmem lime mem', ['memory']],
  ['reg', ['registry']],
  ['sqlite db', ['sqlite']],
  ['png jpg jpeg gif bmp tif tiff webp ico', ['image']],
  ['txt log md csv', ['text', 'json', 'xml', 'eml']],
];

const byEnding: ReadonlyMap<string, readonly KindId[]> = new Map(
  endings.flatMap(([names, kinds]) => names.split(' ').map((name) => [name, kinds] as const)),
);

/** In our own words: only endings of the table are ever repeated. */
export function findNameMismatch(name: string, kinds: readonly KindId[]): string | undefined {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name.slice(-16))?.[1]?.toLowerCase() ?? '';
  const claimed = byEnding.get(ending);
  if (claimed === undefined || kinds.includes('empty') || claimed.some((kind) => kinds.includes(kind)))
    return undefined;
  return `.${ending} (${kindTitles[claimed[0] ?? 'data']})`;
}
