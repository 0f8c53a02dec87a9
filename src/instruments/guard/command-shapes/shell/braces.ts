import type { ShellWord } from './contract.ts';

/** `{bash,-c,id}` is three words to bash. Only lists are taken apart, and only so many. */

const mostWords = 64;
const longestWord = 2048;

/** Positions of a bare `{`, the bare commas of its level and its `}`; null when there is no list. */
function findList({
  value,
  kinds,
}: ShellWord): { readonly open: number; readonly commas: number[]; readonly close: number } | null {
  for (let open = value.indexOf('{'); open !== -1; open = value.indexOf('{', open + 1)) {
    if (kinds[open] !== 'b') continue;
    const commas: number[] = [];
    let depth = 0;
    for (let at = open; at < value.length; at += 1) {
      if (kinds[at] !== 'b') continue;
      const character = value[at];
      if (character === '{') depth += 1;
      else if (character === ',' && depth === 1) commas.push(at);
      else if (character === '}') {
        depth -= 1;
        if (depth === 0) {
          if (commas.length > 0) return { open, commas, close: at };
          break;
        }
      }
    }
    // Without a partner for this one, a later one is not worth the time.
    if (depth > 0) return null;
  }
  return null;
}

function slice(word: ShellWord, from: number, to: number): { readonly value: string; readonly kinds: string } {
  return { value: word.value.slice(from, to), kinds: word.kinds.slice(from, to) };
}

export function expandBraces(word: ShellWord): readonly ShellWord[] {
  let words: readonly ShellWord[] = [word];
  for (let pass = 0; pass < 8 && words.length < mostWords; pass += 1) {
    const after = words.flatMap((each) => expandOnce(each)).slice(0, mostWords);
    if (after.length === words.length) return after;
    words = after;
  }
  return words;
}

function expandOnce(word: ShellWord): readonly ShellWord[] {
  const list = word.value.length > longestWord ? null : findList(word);
  if (list === null) return [word];
  const { open, commas, close } = list;
  const before = slice(word, 0, open);
  const behind = slice(word, close + 1, word.value.length);
  const ends = [...commas, close];
  return ends.map((end, index) => {
    const part = slice(word, index === 0 ? open + 1 : (commas[index - 1] ?? open) + 1, end);
    return {
      ...word,
      value: before.value + part.value + behind.value,
      kinds: before.kinds + part.kinds + behind.kinds,
    };
  });
}
