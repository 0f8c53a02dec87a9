/** What the parent and the holder process say to each other. Plain data: it crosses as JSON. */

/** The first packet of a connection that the box wants, which the kernel keeps until a verdict is given. */
export interface HeldPacket {
  /** The kernel's number for it. */
  readonly id: number;
  readonly from: { readonly address: string; readonly port: number };
  readonly to: { readonly address: string; readonly port: number };
}

export const verdicts = ['accept', 'drop', 'reset'] as const;
export type Verdict = (typeof verdicts)[number];
export type GivenVerdict = readonly [id: number, verdict: Verdict];

export type FromHolder =
  /** It listens, and its rights are gone but the one to give verdicts. */
  | { readonly type: 'ready' }
  | { readonly type: 'packets'; readonly packets: readonly HeldPacket[]; readonly lost: number };

export type ToHolder = { readonly type: 'verdicts'; readonly verdicts: readonly GivenVerdict[] };
