/** The public face of comparing two runs. */
export { compareRuns } from './compare-runs.ts';
export { differenceJsonSchema, differenceVersion, type RunDifference, runDifferenceSchema } from './contract.ts';
