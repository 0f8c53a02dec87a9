/** Number of letters to change, add, leave out or swap to get from one word to the other. */
function distance(left: string, right: string): number {
  let twoBack: number[] = [];
  let back = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      const steps = [(back[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (back[j - 1] ?? 0) + (isSame ? 0 : 1)];
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (isSwapped) steps.push((twoBack[j - 2] ?? 0) + 1);
      row.push(Math.min(...steps));
    }
    [twoBack, back] = [back, row];
  }
  return back[right.length] ?? 0;
}

const longestWord = 100;

/** The known word that the given one was probably meant to be; null when none is near. */
export function findNearest(word: string, known: readonly string[]): string | null {
  if (word.length > longestWord) return null;
  const given = word.toLowerCase();
  let best: { readonly name: string; readonly steps: number } | null = null;
  for (const name of known) {
    const steps = distance(given, name.toLowerCase());
    if (best === null || steps < best.steps) best = { name, steps };
  }
  return best !== null && best.steps <= Math.max(2, Math.floor(word.length / 3)) ? best.name : null;
}
