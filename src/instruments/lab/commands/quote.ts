import { forTerminal, untrusted } from '../../../base/untrusted.ts';

const mostShownBytes = 4_096;

/** One line that bash would read as exactly these words; characters that cannot be seen are spelled out. */
export function quoteForDisplay(argv: readonly string[]): string {
  return argv.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  const shown = forTerminal(untrusted(word, mostShownBytes));
  if (shown !== word)
    return `$'${shown
      .replace(/\\(?![xu])/g, '\\\\')
      .replace(/'/g, "\\'")
      .replace(/\\u\{([0-9a-f]+)\}/g, (_, code) => `\\U${code.padStart(8, '0')}`)}'`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
