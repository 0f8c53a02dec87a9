import type { StartedTarget, TargetContext } from '../contract.ts';

/** A program that starts another one. */
export interface Started {
  readonly starts: StartedTarget;
  readonly besides?: readonly StartedTarget[];
  readonly args: readonly string[];
}

/** A program that only hands over: `env`, `cmd /c`, `sh -c`. */
export interface HandsOver {
  readonly handsOver: readonly string[];
}

export interface Launcher {
  readonly names: readonly string[];
  /** Undefined: this form of the command starts nothing that can be named. */
  read(words: readonly string[], context: TargetContext): Started | HandsOver | undefined;
}
