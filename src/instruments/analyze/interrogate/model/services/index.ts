import { anthropic } from './anthropic.ts';
import type { ModelService } from './contract.ts';
import { openaiCompatible } from './openai-compatible.ts';

export const modelServices: readonly ModelService[] = [anthropic, openaiCompatible];
export type { ModelService } from './contract.ts';
