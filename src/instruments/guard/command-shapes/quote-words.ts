const plain = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** The line that a shell reads as these words, each as it is. */
export function quoteWords(words: readonly string[]): string {
  return words
    .map((word, at) => (plain.test(word) && !(at === 0 && word.includes('=')) ? word : quote(word)))
    .join(' ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
