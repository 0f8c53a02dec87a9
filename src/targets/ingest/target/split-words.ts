import { UsageError } from '../../../base/errors.ts';

/** Words of a command line as a shell reads them, without anything that a shell would run or expand. */
const quotedEscape = /[\\"$`\n]/;

export function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const next = text[at + 1];
    if (quote === "'") {
      if (character === "'") quote = '';
      else word = (word ?? '') + character;
    } else if (character === '\\' && next !== undefined && (quote === '' || quotedEscape.test(next))) {
      word = (word ?? '') + next;
      at += 1;
    } else if (quote === '"') {
      if (character === '"') quote = '';
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') throw new UsageError(`command ${JSON.stringify(text)}: a quote is not closed`);
  if (word !== undefined) words.push(word);
  return words;
}

/** Whether a line for `sh -c` is one plain command: nothing is expanded, chained or redirected. */
export function isPlainCommand(line: string): boolean {
  return !/[;&|<>()$`\n*?[\]{}!#~]/.test(line) && !/^\s*[A-Za-z_]\w*=/.test(line);
}
