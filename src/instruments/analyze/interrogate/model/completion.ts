import type { Meter } from './meter.ts';

/** One question to a model, and what came of it, whichever way it was asked. */

export interface Prompt {
  readonly system: string;
  readonly user: string;
  /** JSON Schema of the answer, for services that can be held to one. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly mostTokens: number;
}

export type Completion =
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean; readonly tokens?: number }
  /** The model did not want to. The next question may fare better. */
  | { readonly kind: 'refusal'; readonly problem: string }
  /** The service does not work, or the cap is reached: nothing more is asked. */
  | { readonly kind: 'failure'; readonly problem: string };

/** Every request is taken from the meter first. Never rejects. */
export type Complete = (prompt: Prompt, meter: Meter, signal: AbortSignal) => Promise<Completion>;
