import type { Observed, Oracle, Proof, Trial, Verdict } from './contract.ts';
import { lookWith } from './oracles/index.ts';

interface Seen {
  readonly oracle: Oracle;
  readonly proof: Proof;
}

/** The strongest proof that the world shows, with the events of all of them. Null when it shows none. */
export function judgeTrial(trial: Trial, observed: Observed): Verdict | null {
  const seen: Seen[] = trial.oracles.flatMap((oracle) => {
    const proof = lookWith(oracle, observed);
    return proof === null ? [] : [{ oracle, proof }];
  });
  const best = seen.find(({ proof }) => proof.evidenceClass === 'A') ?? seen[0];
  if (best === undefined) return null;
  const events = [...new Set(seen.flatMap(({ proof }) => proof.events))].toSorted((one, other) => one - other);
  return {
    ...best.proof,
    events,
    trial: trial.id,
    class: trial.class,
    payload: trial.payload,
    tool: trial.tool,
    pointer: trial.position.pointer,
    oracle: best.oracle.kind,
    cwe: trial.cwe,
    isByDesign: trial.isByDesign,
  };
}

/**
 * A tool that opens every path it is given, plainly and without a promise to keep to a root, does so for `../` too. Once
 * that is known of a position, its other verdicts of that class are by design as well.
 *
 * With all trials that were made, more is known: a payload that is `unlike` another one goes around a guard where the
 * open way failed, whatever was promised, and around nothing where it worked.
 */
export function settleVerdicts(verdicts: readonly Verdict[], made: readonly Trial[] = []): readonly Verdict[] {
  const place = ({ class: kind, tool, pointer }: Verdict): string => `${kind}\n${tool}\n${pointer}`;
  const open = new Set(verdicts.filter(({ isByDesign, payload }) => isByDesign && payload === 'plain').map(place));
  const trials = new Map(made.map((trial) => [trial.id, trial]));
  const proven = new Map(verdicts.map((verdict) => [verdict.trial, verdict]));
  const isByDesign = (verdict: Verdict): boolean => {
    const trial = trials.get(verdict.trial);
    const openly = trial?.unlike === undefined ? '' : verdict.trial.replace(`/${trial.payload} `, `/${trial.unlike} `);
    if (trials.has(openly)) return proven.get(openly)?.isByDesign ?? false;
    return open.has(place(verdict)) || verdict.isByDesign;
  };
  return verdicts.map((verdict) => ({ ...verdict, isByDesign: isByDesign(verdict) }));
}
