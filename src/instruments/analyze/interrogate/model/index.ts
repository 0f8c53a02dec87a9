export type { Model, Proposal } from './contract.ts';
export { createModel, type ModelOptions } from './create-model.ts';
export { defaultModelLimits, type ModelLimits } from './limits.ts';
export { proposedInputs } from './proposed-inputs.ts';
export { proposedTrials } from './proposed-trials.ts';
export { type CreateMessage, type SamplingOptions, type SamplingRequest, samplingModel } from './sampling-model.ts';
export { modelServices } from './services/index.ts';
