import type { EventKind } from '../../../../src/base/event-schema.ts';
import type { Policy } from '../../../../src/base/policy-schema.ts';
import type { BackendId } from '../../../../src/engine/box/contract.ts';
import { denialsOf } from '../../../../src/engine/policy/compile/denials.ts';
import type { SensorId } from '../../../../src/engine/sensor/contract.ts';
import type { Expectation, Facts, Json } from './expectation.ts';

/** What a sensor can know of an action. A blind spot is written here with its reason, and nowhere else. */

export type Sight =
  | { readonly is: 'seen' }
  /** The event comes, without what lies behind pointers: a field may be absent, but not wrong. */
  | { readonly is: 'fields-unknown'; readonly because: string }
  | { readonly is: 'unseen'; readonly because: string };

/** The event comes, but not all of its fields. */
interface BlindSpot {
  readonly sensor: SensorId;
  readonly because: string;
  readonly applies: (expectation: Expectation) => boolean;
}

const ofKinds =
  (...kinds: readonly EventKind[]) =>
  ({ kind }: Expectation): boolean =>
    kinds.includes(kind);

/** Text that is not UTF-8 is kept as base64. */
function holdsInvalidText(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.some(holdsInvalidText) : 'base64' in value;
}

export const blindSpots: readonly BlindSpot[] = [
  {
    sensor: 'gvisor-trace',
    because: 'there is only a raw point, which carries six integers and follows no pointer',
    applies: ofKinds('unlink', 'rename', 'link', 'chmod', 'mkdir', 'listen', 'send-to', 'ptrace', 'memfd', 'kernel'),
  },
  {
    sensor: 'gvisor-trace',
    because: 'gVisor cannot send text that is not UTF-8: the message is left out, and only a raw point is there',
    applies: ({ fields }) => Object.values(fields).some((values) => values.every(holdsInvalidText)),
  },
];

/** Calls that a sensor is never told of. */
const unseenCalls: Readonly<Partial<Record<SensorId, Readonly<Record<string, string>>>>> = {
  'gvisor-trace': {
    openat2: 'gVisor answers that there is no such call, and the point that it lists for it never fires',
  },
};

export function sightOf(expectation: Expectation, { sensor, denied, excused }: Facts): Sight {
  const excuse = excused?.[expectation.number];
  if (excuse !== undefined) return { is: 'unseen', because: excuse };
  if (denied?.has(expectation.call)) {
    return { is: 'unseen', because: `the filter of the box answers ${expectation.call} before any sensor is asked` };
  }
  const never = unseenCalls[sensor]?.[expectation.call];
  if (never !== undefined) return { is: 'unseen', because: never };
  const spot = blindSpots.find((each) => each.sensor === sensor && each.applies(expectation));
  return spot === undefined ? { is: 'seen' } : { is: 'fields-unknown', because: spot.because };
}

/** Calls that a box of this policy refuses in its filter, whatever their arguments are. */
export function deniedCalls(policy: Policy, backend: BackendId): ReadonlySet<string> {
  return denialsOf(policy, { hasNetworkNamespace: backend !== 'landlock', sharesUser: process.getuid?.() !== 0 }).calls;
}
