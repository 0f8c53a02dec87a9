/** A value as JSON, for comparison and for its size. Null for what nests so deeply that it cannot be written. */
export function jsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}
