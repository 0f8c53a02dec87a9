const windowLength = 7;
const fullLength = 64;
const leastBlock = 3;
const mostDigest = 200;

interface Digest {
  readonly block: number;
  readonly parts: readonly [string, string];
}

/** More than three of a kind say nothing more. */
function shorten(text: string): string {
  return text.replace(/(.)\1{3,}/g, '$1$1$1');
}

function parse(text: string): Digest | null {
  const [, block, first, second] =
    /^(\d{1,10}):([\w+/]{0,64}):([\w+/]{0,64})(?:,|$)/.exec(text.slice(0, mostDigest)) ?? [];
  if (block === undefined || first === undefined || second === undefined) return null;
  return { block: Number(block), parts: [shorten(first), shorten(second)] };
}

function hasCommonPiece(left: string, right: string): boolean {
  for (let at = 0; at + windowLength <= left.length; at += 1) {
    if (right.includes(left.slice(at, at + windowLength))) return true;
  }
  return false;
}

/** Insertions and removals cost one, replacements two. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let other = 1; other <= right.length; other += 1) {
      const change = (row[other - 1] ?? 0) + (left[at - 1] === right[other - 1] ? 0 : 2);
      next.push(Math.min((row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

function score(left: string, right: string, block: number): number {
  if (!hasCommonPiece(left, right)) return 0;
  const share = Math.floor((distance(left, right) * fullLength) / (left.length + right.length));
  const similarity = 100 - Math.floor((100 * share) / fullLength);
  if (block >= Math.floor((99 + windowLength) / windowLength) * leastBlock) return similarity;
  // Small blocks say little: what two short digests have in common is held down.
  return Math.min(similarity, Math.floor(block / leastBlock) * Math.min(left.length, right.length));
}

/** How alike two files are by their ssdeep digests: 0 to 100, or null when one of them is no digest. */
export function compareSsdeep(left: string, right: string): number | null {
  const [one, two] = [parse(left), parse(right)];
  if (one === null || two === null) return null;
  const [oneFirst, oneSecond] = one.parts;
  const [twoFirst, twoSecond] = two.parts;
  if (one.block === two.block) {
    if (oneFirst === twoFirst && oneSecond === twoSecond) return 100;
    return Math.max(score(oneFirst, twoFirst, one.block), score(oneSecond, twoSecond, one.block * 2));
  }
  if (one.block * 2 === two.block) return score(oneSecond, twoFirst, two.block);
  if (two.block * 2 === one.block) return score(oneFirst, twoSecond, one.block);
  return 0;
}
