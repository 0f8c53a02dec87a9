import type { Proof } from '../../../base/analysis-schema.ts';
import type { Event } from '../../../base/event-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import { commandOf } from '../../../engine/sensor/history/index.ts';
import { excerpt, oneLine } from '../inspect/rule.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import type { Variant } from '../interrogate/listings/index.ts';
import { eventDetail, eventTitle } from '../judge/index.ts';

/** What a target did by itself as a chain: whose it is, in which call if in one, by which process, seen as what. */

const mostEvents = 6;

export interface BehaviourFacts {
  readonly target: string;
  readonly events: ReadonlyMap<number, Event>;
  readonly detonated: Pick<Detonated, 'variants'>;
  readonly firstVariant: Pick<Variant, 'id'>;
}

function eventsOf({ evidence }: Finding, events: ReadonlyMap<number, Event>): readonly Event[] {
  return evidence
    .flatMap(({ ref }) => events.get(Number(/^event:(\d+)$/.exec(ref)?.[1] ?? -1)) ?? [])
    .slice(0, mostEvents);
}

/** The session during which it happened. */
function variantOf({ at }: Event, { variants }: Pick<Detonated, 'variants'>): string | undefined {
  const ns = BigInt(at.monotonicNs);
  return variants.find(({ fromNs, toNs }) => ns >= fromNs && ns <= toNs)?.id;
}

export function behaviourProof(finding: Finding, { target, events, detonated, firstVariant }: BehaviourFacts): Proof {
  const seen = eventsOf(finding, events);
  const last = seen.at(-1);
  const call = seen.find((event) => event.call !== undefined)?.call;
  const doer = seen.find(({ process }) => process !== undefined);
  const steps: Proof['steps'] = [
    { kind: 'target', title: oneLine(target) || 'the target', detail: excerpt(target) },
    ...(call === undefined ? [] : [{ kind: 'call' as const, title: oneLine(call), detail: excerpt(call) }]),
    ...(doer?.process === undefined
      ? []
      : [
          {
            kind: 'process' as const,
            title: `pid ${doer.process.pid}, started by ${doer.process.parent}`,
            detail: excerpt(commandOf(doer) ?? ''),
            event: doer.seq,
          },
        ]),
    ...seen.map((event) => ({
      kind: 'event' as const,
      title: oneLine(`${eventTitle(event)}, phase ${event.phase}`),
      detail: excerpt(eventDetail(event), 1024),
      event: event.seq,
    })),
    { kind: 'effect', title: oneLine(finding.title), detail: finding.evidence[0]?.excerpt ?? { text: '' } },
  ];
  if (last === undefined) return { finding: finding.id, steps };
  const variant = variantOf(last, detonated) ?? firstVariant.id;
  return { finding: finding.id, steps, replay: { kind: 'phase', phase: last.phase, variant } };
}
