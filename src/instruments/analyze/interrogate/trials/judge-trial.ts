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

/** The open way, without any disguise: to a file, or to a folder. */
export function isPlain(payload: string): boolean {
  return /^plain(?:-|$)/.test(payload);
}

/** The address of the machine itself, written as everybody writes it. */
const openAddress = 'loopback';

/**
 * Places that go to every address they are given and hand nothing back: no guard was gone around, and nothing was read.
 * What only gets through in a disguise, or comes back, is another matter.
 */
function blindPlaces(verdicts: readonly Verdict[], place: (verdict: Verdict) => string): ReadonlySet<string> {
  const isOpen = ({ class: kind, payload, oracle }: Verdict): boolean =>
    kind === 'ssrf' && payload === openAddress && oracle === 'request-to';
  const telling = new Set(verdicts.filter(({ oracle }) => oracle === 'canary-in-result').map(place));
  return new Set(
    verdicts
      .filter(isOpen)
      .map(place)
      .filter((each) => !telling.has(each)),
  );
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
  const open = new Set(verdicts.filter(({ isByDesign, payload }) => isByDesign && isPlain(payload)).map(place));
  const blind = blindPlaces(verdicts, place);
  const trials = new Map(made.map((trial) => [trial.id, trial]));
  const proven = new Map(verdicts.map((verdict) => [verdict.trial, verdict]));
  const isByDesign = (verdict: Verdict): boolean => {
    if (blind.has(place(verdict)) && verdict.oracle === 'request-to') return true;
    const trial = trials.get(verdict.trial);
    const openly = trial?.unlike === undefined ? '' : verdict.trial.replace(`/${trial.payload} `, `/${trial.unlike} `);
    if (trials.has(openly)) return proven.get(openly)?.isByDesign ?? false;
    return open.has(place(verdict)) || verdict.isByDesign;
  };
  return verdicts.map((verdict) => ({ ...verdict, isByDesign: isByDesign(verdict) }));
}
