import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext } from '../detector.ts';

/** One pass over the events of a run, however many they are. Findings come in the order of the detectors. */
export async function runDetectorsOf(
  detectors: readonly Detector[],
  events: AsyncIterable<Event> | Iterable<Event>,
  context: DetectorContext,
): Promise<readonly Finding[]> {
  const open = detectors.map((detector) => detector.open(context));
  for await (const event of events) for (const detector of open) detector.see(event);
  return open.flatMap((detector) => detector.findings());
}
