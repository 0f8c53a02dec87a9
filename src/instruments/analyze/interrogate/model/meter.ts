import type { Prompt } from './completion.ts';
import type { ModelLimits } from './limits.ts';

/** Counts what a model may cost at most, so that a cap holds whatever the service reports. */
export interface Meter {
  /** Null when the request may be made; else why not. */
  take(prompt: Prompt): string | null;
  /** What the service says the last request cost, where that is more than was taken. */
  correct(prompt: Prompt, tokens: number): void;
}

/** Fewer bytes per token than any text has that schemas are made of. */
const bytesPerToken = 3;

export function estimateTokens({ system, user, schema, mostTokens }: Prompt): number {
  const bytes = Buffer.byteLength(system) + Buffer.byteLength(user) + Buffer.byteLength(JSON.stringify(schema));
  return Math.ceil(bytes / bytesPerToken) + mostTokens;
}

export function createMeter({ mostRequests, mostTokens }: Pick<ModelLimits, 'mostRequests' | 'mostTokens'>): Meter {
  let requests = 0;
  let tokens = 0;
  return {
    take(prompt) {
      const wanted = estimateTokens(prompt);
      if (requests + 1 > mostRequests) return `the cap of ${mostRequests} requests to the model is reached`;
      if (tokens + wanted > mostTokens) return `the cap of ${mostTokens} tokens would be passed`;
      requests += 1;
      tokens += wanted;
      return null;
    },
    correct(prompt, reported) {
      if (Number.isFinite(reported)) tokens += Math.max(0, reported - estimateTokens(prompt));
    },
  };
}
