/** Where an entry lies in the archive: its header, its name and its content. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Positions of the entries that share a byte with another one. In an honest archive there are none. */
export function findOverlaps(spans: readonly Span[]): ReadonlySet<number> {
  const order = spans.map((_, index) => index).sort((left, right) => startOf(spans, left) - startOf(spans, right));
  const overlapping = new Set<number>();
  let widest = -1;
  let reach = -1;
  for (const index of order) {
    const span = spans[index];
    if (span === undefined) continue;
    if (widest !== -1 && span.start < reach) {
      overlapping.add(index);
      overlapping.add(widest);
    }
    if (span.end > reach) {
      reach = span.end;
      widest = index;
    }
  }
  return overlapping;
}

function startOf(spans: readonly Span[], index: number): number {
  return spans[index]?.start ?? 0;
}
