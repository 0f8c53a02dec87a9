/** Lists that Hotcell did not write hold comments, doubles and words that lead out of the folder that is searched. */

const mostWords = 200_000;
const wordCharacters = 200;

function isUsable(word: string): boolean {
  if (word === '' || word.startsWith('#') || word.length > wordCharacters) return false;
  if (!/^[!-~]+$/.test(word) || /[\\?#]/.test(word)) return false;
  const segments = word.split('/').map((segment) => segment.replaceAll(/%2e/gi, '.'));
  return !segments.includes('..') && !segments.includes('.');
}

/** Words in their order, once each, without leading slashes. */
export function cleanWords(text: string): readonly string[] {
  const words = new Set<string>();
  for (const line of text.split('\n')) {
    const word = line.trim().replace(/^\/+/, '');
    if (isUsable(word)) words.add(word);
    if (words.size >= mostWords) break;
  }
  return [...words];
}
