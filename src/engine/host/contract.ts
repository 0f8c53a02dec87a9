import type { Outcome } from '../../base/outcome.ts';

/** What one probe found out about this machine, as one line for people and as data for programs. */
export interface HostFact {
  readonly summary: string;
  readonly details: Readonly<Record<string, FactValue>>;
}

export type FactValue = string | number | boolean | null | readonly string[];

/**
 * One question about the machine, put so that `yes` is the good answer. The answer comes from trying,
 * never from a version number: distributions move features both ways.
 */
export interface HostProbe {
  readonly id: string;
  readonly title: string;
  /** What is lost without it, in a few words. */
  readonly usedFor: string;
  ask(): Promise<Outcome<HostFact>>;
}
