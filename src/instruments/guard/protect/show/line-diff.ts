/** The shortest way from one list of lines to another, as far as it is short; else everything between is another. */

export type DiffLine = { readonly is: ' ' | '-' | '+'; readonly text: string };

/** Steps beyond which nobody reads a difference. */
const mostSteps = 1000;

function commonPrefix(before: readonly string[], after: readonly string[], most: number): number {
  let count = 0;
  while (count < most && before[count] === after[count]) count += 1;
  return count;
}

/** Myers' walk: how far each diagonal gets with each further step. Null where it takes too many. */
function walk(before: readonly string[], after: readonly string[]): readonly Map<number, number>[] | null {
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let steps = 0; steps <= Math.min(mostSteps, before.length + after.length); steps += 1) {
    const next = new Map<number, number>();
    trace.push(reach);
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const down = reach.get(diagonal + 1) ?? -1;
      const right = reach.get(diagonal - 1) ?? -1;
      let x = diagonal === -steps || (diagonal !== steps && right < down) ? down : right + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trace;
    }
    reach = next;
  }
  return null;
}

function back(trace: readonly Map<number, number>[], before: readonly string[], after: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let steps = trace.length - 1; steps >= 0; steps -= 1) {
    const reach = trace[steps] ?? new Map<number, number>();
    const diagonal = x - y;
    const down = reach.get(diagonal + 1) ?? -1;
    const right = reach.get(diagonal - 1) ?? -1;
    const isDown = diagonal === -steps || (diagonal !== steps && right < down);
    const fromX = isDown ? down : right;
    const fromY = fromX - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0)) {
      x -= 1;
      y -= 1;
      lines.push({ is: ' ', text: before[x] ?? '' });
    }
    if (steps === 0) break;
    if (isDown) lines.push({ is: '+', text: after[fromY] ?? '' });
    else lines.push({ is: '-', text: before[fromX] ?? '' });
    [x, y] = [fromX, fromY];
  }
  return lines.reverse();
}

export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const head = commonPrefix(before, after, Math.min(before.length, after.length));
  const rest = Math.min(before.length, after.length) - head;
  const tail = commonPrefix([...before].reverse(), [...after].reverse(), rest);
  const [oldMiddle, newMiddle] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const trace = walk(oldMiddle, newMiddle);
  const same = (text: string): DiffLine => ({ is: ' ', text });
  const middle =
    trace === null
      ? [
          ...oldMiddle.map((text) => ({ is: '-', text }) as const),
          ...newMiddle.map((text) => ({ is: '+', text }) as const),
        ]
      : back(trace, oldMiddle, newMiddle);
  return [...before.slice(0, head).map(same), ...middle, ...before.slice(before.length - tail).map(same)];
}
