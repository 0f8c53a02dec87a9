/** Names under which the decoder of the platform knows the code pages that Office writes. */
const labels: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  866: 'ibm866',
  1200: 'utf-16le',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  28591: 'iso-8859-1',
  28592: 'iso-8859-2',
  28595: 'iso-8859-5',
  51932: 'euc-jp',
  65001: 'utf-8',
};

/** Text in a code page; one that is not known is read as 1252, which maps every byte to something. */
export function decodePage(bytes: Uint8Array, codePage: number): string {
  const label = codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : (labels[codePage] ?? 'windows-1252');
  return new TextDecoder(label).decode(bytes);
}
