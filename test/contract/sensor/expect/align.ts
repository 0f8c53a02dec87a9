/**
 * The longest common order of what was expected and what was told: place of the event by place of the expectation.
 * Whoever takes the first event that fits instead blames everything that follows one lost event.
 */
export function align(
  expectedCount: number,
  eventCount: number,
  isMatch: (expectation: number, event: number) => boolean,
): ReadonlyMap<number, number> {
  const width = eventCount + 1;
  const best = new Uint32Array((expectedCount + 1) * width);
  const lengthAt = (expectation: number, event: number): number => best[expectation * width + event] ?? 0;
  const fits = new Uint8Array(expectedCount * width);
  for (let expectation = expectedCount - 1; expectation >= 0; expectation -= 1) {
    for (let event = eventCount - 1; event >= 0; event -= 1) {
      const fit = isMatch(expectation, event);
      fits[expectation * width + event] = fit ? 1 : 0;
      best[expectation * width + event] = Math.max(
        lengthAt(expectation + 1, event),
        lengthAt(expectation, event + 1),
        fit ? lengthAt(expectation + 1, event + 1) + 1 : 0,
      );
    }
  }
  const matches = new Map<number, number>();
  for (let expectation = 0, event = 0; expectation < expectedCount && event < eventCount; ) {
    const length = lengthAt(expectation, event);
    if (fits[expectation * width + event] === 1 && length === lengthAt(expectation + 1, event + 1) + 1) {
      matches.set(expectation, event);
      expectation += 1;
      event += 1;
    } else if (length === lengthAt(expectation, event + 1)) event += 1;
    else expectation += 1;
  }
  return matches;
}
