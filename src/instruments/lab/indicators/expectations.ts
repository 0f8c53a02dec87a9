import { extractIndicators } from './extract.ts';

/** For the tables of tests: what a text holds, each as `type value`, and the noise as `type value: reason`. */
export type Row = readonly [text: string, found: readonly string[], noise?: readonly string[]];

export function found(text: string): readonly string[] {
  return extractIndicators(text)
    .indicators.map(({ type, value }) => `${type} ${value}`)
    .toSorted();
}

export function noise(text: string): readonly string[] {
  return extractIndicators(text, { includeNoise: true })
    .indicators.filter((indicator) => indicator.noise !== undefined)
    .map(({ type, value, noise: reason }) => `${type} ${value}: ${reason}`)
    .toSorted();
}
