export { type EffectiveSchema, type Guesser, readGuesser } from './guess.ts';
export { type HonestInput, type HonestOptions, honestInputs, type Knowledge, readKnowledge } from './honest-inputs.ts';
export { type MeaningTable, readMeanings } from './meaning.ts';
export { type Position, positions, positionsOf } from './positions.ts';
export { inputFor, valueAt, withValue } from './with-value.ts';
export type { Planted, World } from './world.ts';
