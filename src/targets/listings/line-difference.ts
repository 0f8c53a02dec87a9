import type { ListingComparison } from '../../base/analysis-schema.ts';
import { forJson, untrusted } from '../../base/untrusted.ts';

/** Lines that are only in one of two texts, with what stands beside them. Bounded in time and size on any texts. */

export type DifferenceLine = ListingComparison['difference'][number];

const longestLineBytes = 2048;
/** Of what differs between the two; the rest of a longer difference is counted. */
const mostCharacters = 64 * 1024;
/** Steps of the comparison; beyond it everything counts as replaced. */
const mostSteps = 1_000_000;
/** How far around a difference the line that it is in is shown. */
const mostAround = 400;
const context = 2;

export function differenceLine(is: DifferenceLine['is'], text: string): DifferenceLine {
  const kept = untrusted(text, longestLineBytes);
  const { droppedBytes } = kept;
  return { is, text: droppedBytes > 0 ? { ...forJson(kept), droppedBytes } : forJson(kept) };
}

/** How many characters two texts share at their beginning; at most `most`. */
function sharedStart(before: string, after: string, most: number): number {
  let at = 0;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  return at;
}

function sharedEnd(before: string, after: string, most: number): number {
  let count = 0;
  while (count < most && before.charCodeAt(before.length - 1 - count) === after.charCodeAt(after.length - 1 - count)) {
    count += 1;
  }
  return count;
}

/** Sentences of a long line stand on lines of their own: a description is often one line. */
const longLine = 160;

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text
    .split('\n')
    .flatMap((line) => (line.length > longLine ? line.split(/(?<=[.!?;])\s+/) : [line]))
    .map((line) => line.trimEnd());
}

/** What differs in two texts, with the lines around it, so that what they share is never gone through line by line. */
function middles(before: string, after: string): readonly [string, string] {
  const start = sharedStart(before, after, Math.min(before.length, after.length));
  const end = sharedEnd(before, after, Math.min(before.length, after.length) - start);
  const from = Math.max(start - mostAround, 0);
  const until = Math.max(end - mostAround, 0);
  // From the beginning of a line where one is near enough.
  const line = before.slice(from, start).indexOf('\n');
  const first = from === 0 || line < 0 ? from : from + line + 1;
  return [before.slice(first, before.length - until), after.slice(first, after.length - until)];
}

type Side = readonly string[];

/** Longest common subsequence, from the back, so that it is read off from the front. */
function tableOf(before: Side, after: Side): Uint32Array {
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const below = table[(row + 1) * width + column] ?? 0;
      const right = table[row * width + column + 1] ?? 0;
      const diagonal = table[(row + 1) * width + column + 1] ?? 0;
      table[row * width + column] = before[row] === after[column] ? diagonal + 1 : Math.max(below, right);
    }
  }
  return table;
}

interface Step {
  readonly is: DifferenceLine['is'];
  readonly text: string;
}

function stepsOf(before: Side, after: Side): Step[] {
  const replaced = [
    ...before.map((text): Step => ({ is: 'removed', text })),
    ...after.map((text): Step => ({ is: 'added', text })),
  ];
  if (before.length * after.length > mostSteps) return replaced;
  const table = tableOf(before, after);
  const width = after.length + 1;
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    const [old = '', fresh = ''] = [before[row], after[column]];
    const below = table[(row + 1) * width + column] ?? 0;
    const right = table[row * width + column + 1] ?? 0;
    if (old === fresh) {
      steps.push({ is: 'same', text: old });
      row += 1;
      column += 1;
    } else if (below >= right) {
      steps.push({ is: 'removed', text: old });
      row += 1;
    } else {
      steps.push({ is: 'added', text: fresh });
      column += 1;
    }
  }
  return [
    ...steps,
    ...before.slice(row).map((text): Step => ({ is: 'removed', text })),
    ...after.slice(column).map((text): Step => ({ is: 'added', text })),
  ];
}

function isNear(steps: readonly Step[], at: number): boolean {
  return steps.slice(Math.max(0, at - context), at + context + 1).some(({ is }) => is !== 'same');
}

/** Empty for equal texts; never more than `most` lines, the last of which counts what is missing. */
export function lineDifference(before: string, after: string, most: number): DifferenceLine[] {
  if (before === after || most < 1) return [];
  const [first, second] = middles(before, after);
  const steps = stepsOf(linesOf(first.slice(0, mostCharacters)), linesOf(second.slice(0, mostCharacters)));
  const shown = steps.filter((_, at) => isNear(steps, at));
  const more = Math.max(first.length, second.length) - mostCharacters;
  const notes = more > 0 ? [differenceLine('same', `[${more} characters more]`)] : [];
  const lines = [...shown.map(({ is, text }) => differenceLine(is, text)), ...notes];
  if (lines.length === 0) return [differenceLine('same', '[only blanks at the ends of lines differ]')];
  return cutLines(lines, most);
}

export function cutLines(lines: readonly DifferenceLine[], most: number): DifferenceLine[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most - 1), differenceLine('same', `[${lines.length - most + 1} lines more]`)];
}
