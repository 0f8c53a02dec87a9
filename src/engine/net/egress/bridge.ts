import type { Socket } from 'node:net';
import type { EgressLimits } from './limits.ts';

/** What carries an allowed connection in the place of the splice: it reads what passes, and may refuse parts of it. */

/** A reason of an end that begins so is a refusal of what was asked inside the connection. */
export const bridgeRefusal = 'refused: ';

export interface BridgeEnds {
  /** Both are unread. The bridge is to end both; what is left of them when it has ended is cut. */
  readonly box: Socket;
  readonly upstream: Socket;
  /** What the box asked for: a name, or an address that stands for itself. */
  readonly host: string;
  readonly port: number;
  /** Where the upstream is connected to. */
  readonly address: string;
  readonly limits: EgressLimits;
}

export interface Bridged {
  /** Resolves with the reason of an end that was none of the peers' own wish, null for a good one. It never rejects. */
  readonly ended: Promise<string | null>;
  /** Breaks both sides; the first reason stays. */
  cut(reason: string): void;
}

export type GateBridge = (ends: BridgeEnds) => Bridged;
