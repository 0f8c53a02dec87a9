import { describeError } from '../../base/errors.ts';
import type { Completeness } from '../../base/event-schema.ts';
import type { BoxHooks } from '../box/contract.ts';
import type { Sighting } from '../sensor/contract.ts';
import { adoptingHooks, compareWitnesses, DeedTally, EbpfWitness } from '../sensor/ebpf/index.ts';
import { HeartCount } from './heart-count.ts';

/**
 * The witness in the host's kernel, beside the sensor of a cell. Of what it sees only refusals go into the log: calls that
 * the filter of the policy answered, of which the sensor never hears, and calls that the kernel denied, of which the
 * sensor knows no end. All else is in the log already; it is counted, and the two counts are compared when all is over.
 */

const ownKernel = 'a box with a kernel of its own has no second witness';

/** A call that came as far as the kernel keeps its fields, next to what was tried. */
function refusalOf(sighting: Sighting): Sighting | null {
  if (sighting.outcome !== 'denied') return null;
  if (sighting.kind === 'denied') return sighting;
  return { ...sighting, kind: 'denied', fields: { ...sighting.fields, call: sighting.kind } };
}

export class SecondWitness {
  readonly #witness: EbpfWitness;
  readonly #heart: HeartCount;
  readonly #tallies: { readonly sensor: DeedTally; readonly witness: DeedTally };
  readonly #problems: string[] = [];
  #end: Promise<Completeness> | null = null;

  private constructor(witness: EbpfWitness, heart: HeartCount, tally: DeedTally) {
    this.#witness = witness;
    this.#heart = heart;
    this.#tallies = { sensor: new DeedTally(), witness: tally };
  }

  static async open(onRefusals: (sightings: readonly Sighting[]) => Promise<void>): Promise<SecondWitness> {
    const heart = new HeartCount();
    const tally = new DeedTally();
    const witness = await EbpfWitness.start({
      skipsOpened: true,
      onSightings: async (sightings) => {
        for (const sighting of sightings) {
          heart.note(sighting);
          tally.note(sighting);
        }
        const refusals = sightings.map(refusalOf).filter((refusal) => refusal !== null);
        if (refusals.length > 0) await onRefusals(refusals);
      },
    });
    return new SecondWitness(witness, heart, tally);
  }

  /** What the sensor saw, to be compared. */
  compare(sightings: readonly Sighting[]): void {
    for (const sighting of sightings) this.#tallies.sensor.note(sighting);
  }

  /** A witness that fails is told of in the report; the run goes on. */
  attach(hooks: BoxHooks): BoxHooks {
    return adoptingHooks(hooks, (airlock) =>
      this.#witness.adopt(airlock).catch((cause: unknown) => {
        this.#problems.push(describeError(cause));
      }),
    );
  }

  /** After the sensor, whose account must be whole. */
  close(expectedBeats: number, watchedBy: 'trace' | 'notify' | null): Promise<Completeness> {
    this.#end ??= this.#finish(expectedBeats, watchedBy);
    return this.#end;
  }

  async #finish(expectedBeats: number, watchedBy: 'trace' | 'notify' | null): Promise<Completeness> {
    const end = await this.#witness.close();
    const heartbeats = { expected: expectedBeats, seen: this.#heart.seen };
    if (watchedBy !== 'notify') return { ...end, missingPoints: [ownKernel] };
    const { sensor, witness } = this.#tallies;
    const disagreements = compareWitnesses(sensor.counts, witness.counts);
    return { ...end, heartbeats, missingPoints: [...end.missingPoints, ...this.#problems, ...disagreements] };
  }
}
