export type { InspectedCall, ResultOptions } from './contract.ts';
export { inspectResults } from './inspect-results.ts';
export { noteToModels } from './instructions.ts';
export { resultRules } from './rules.ts';
