/** What a name alone says about an entry. */

const programEndings = 'exe dll scr com cpl sys pif msi msix appx jar apk elf'.split(' ');
const scriptEndings = 'js jse vbs vbe wsf wsh hta ps1 psm1 bat cmd lnk url sct reg inf chm py sh'.split(' ');
const documentEndings =
  'pdf doc docx docm xls xlsx xlsm ppt pptx rtf txt jpg jpeg png gif mp3 mp4 avi html htm csv one'.split(' ');
const archiveEndings = 'zip 7z rar tar gz tgz bz2 xz zst cab iso img vhd vhdx udf wim arj lzh ace'.split(' ');

const classes: ReadonlyMap<string, NameClass> = new Map(
  (
    [
      ['program', programEndings],
      ['script', scriptEndings],
      ['document', documentEndings],
      ['archive', archiveEndings],
    ] as const
  ).flatMap(([name, endings]) => endings.map((ending) => [ending, name] as const)),
);

export type NameClass = 'program' | 'script' | 'document' | 'archive';

function endingsOf(name: string): readonly string[] {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  return base
    .toLowerCase()
    .split('.')
    .slice(1)
    .map((part) => part.trim());
}

export function nameClass(name: string): NameClass | null {
  return classes.get(endingsOf(name).at(-1) ?? '') ?? null;
}

/** `invoice.pdf.exe`: looks like a document where endings are hidden, and runs. */
export function hasDoubleEnding(name: string): boolean {
  const endings = endingsOf(name);
  const last = classes.get(endings.at(-1) ?? '');
  const before = classes.get(endings.at(-2) ?? '');
  return (last === 'program' || last === 'script') && before === 'document';
}

/** Characters that reorder text, so that `exe.fdp` reads as `pdf.exe` backwards. */
export function hasDirectionMark(name: string): boolean {
  return /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(name);
}

/** A long run of spaces pushes the true ending out of sight. */
export function hasSpaceRun(name: string): boolean {
  return / {8,}\.?[A-Za-z0-9]{1,5}$/.test(name);
}
