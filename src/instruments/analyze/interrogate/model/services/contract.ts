import type { Completion, Prompt } from '../completion.ts';

/** One kind of service that a model can be asked through. One file each, and one line in the list. */
export interface ModelService {
  readonly id: string;
  /** Null where the caller has to name one. */
  readonly defaultUrl: string | null;
  readonly defaultModel: string | null;
  /** Without a key it does not answer. */
  readonly needsKey: boolean;
  /** Behind the URL of the service. */
  readonly path: string;
  headers(key: string): Readonly<Record<string, string>>;
  /**
   * `refused` is what the service said to the same request before, where it did not want it as it was; null the first time.
   */
  body(prompt: Prompt, model: string, refused: string | null): object;
  /** True when the same question in simpler words may be understood. */
  canSimplify(status: number): boolean;
  /** The parsed body of an answer with status 200. */
  read(answer: unknown): Completion;
}
