import type { Pace } from '../../contract.ts';
import { PacedQueue } from '../client/paced-queue.ts';
import { suitesOf } from './cipher-suites.ts';
import type { HelloAnswer, HelloOffer, TlsVersion } from './hello.ts';

/** What a server agrees to in one version, by offering everything and leaving out what it chose, until it refuses. */

export interface AcceptedSuites {
  readonly version: TlsVersion;
  /** In the order in which the server chose them. */
  readonly suites: readonly number[];
  readonly first: Extract<HelloAnswer, { is: 'agreed' }> | null;
  /** False where the bound was reached. */
  readonly isComplete: boolean;
}

export type Offer = (offer: HelloOffer) => Promise<HelloAnswer>;

const mostRounds = 64;

export function pacedOffer(offer: Offer, pace: Pick<Pace, 'requestsPerSecond' | 'connections'>): Offer {
  const queue = new PacedQueue(pace);
  return (hello) => queue.run(() => offer(hello));
}

export async function listSuites(version: TlsVersion, serverName: string, offer: Offer): Promise<AcceptedSuites> {
  let left = suitesOf(version);
  const suites: number[] = [];
  let first: AcceptedSuites['first'] = null;
  for (let round = 0; round < mostRounds && left.length > 0; round += 1) {
    const answer = await offer({ version, suites: left, serverName, isCompressionOffered: version !== 0x0304 });
    // Another version than the one that was offered, or a suite that was not, is an answer to something else.
    if (answer.is !== 'agreed' || answer.version !== version || !left.includes(answer.suite)) {
      return { version, suites, first, isComplete: true };
    }
    first ??= answer;
    const { suite } = answer;
    suites.push(suite);
    left = left.filter((id) => id !== suite);
  }
  return { version, suites, first, isComplete: left.length === 0 };
}
