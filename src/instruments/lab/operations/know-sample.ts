import type { AnalyserRun, Depth, Facts, Kind } from '../contract.ts';
import type { Lab } from '../lab.ts';
import type { HeldSample } from '../samples/room.ts';

/** A sample with what our own analysers say of it, for questions that build on that. */

export interface KnownSample {
  readonly sample: HeldSample;
  readonly kind: Kind;
  readonly runs: readonly AnalyserRun[];
  readonly facts: readonly Facts[];
}

export async function knowSample(lab: Lab, file: string, depth: Depth, signal: AbortSignal): Promise<KnownSample> {
  const sample = await lab.samples.read(file, signal);
  const { kind, runs } = await lab.analysers.run({ bytes: sample.bytes, name: sample.name, depth, signal });
  return { sample, kind, runs, facts: runs.map(({ result }) => result.facts) };
}

/** Of whichever analyser has a fact of that name. */
export function factOf(facts: readonly Facts[], name: string): Facts[string] | null {
  return facts.find((one) => one[name] !== undefined && one[name] !== null)?.[name] ?? null;
}
