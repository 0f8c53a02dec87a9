/** Where the search stops. Nothing here depends on what the text says. */
export const limits = {
  /** Characters of all texts together. */
  inputLength: 64 * 1024 * 1024,
  /** Distinct values kept for each type. */
  valuesPerType: 10_000,
  pageSize: 200,
  sources: 10,
  contextLength: 120,
  /** How far before and after a candidate its line is looked at for words that explain it. */
  surroundings: 48,
  urlLength: 8192,
  /** URLs inside the path or query of another one. */
  nestedUrls: 4,
  pathLength: 1024,
  hostLength: 253,
  stepsPerTick: 4096,
  /** Answers remembered for each question about a text, so that what repeats is worked out once. */
  remembered: 4096,
} as const;
