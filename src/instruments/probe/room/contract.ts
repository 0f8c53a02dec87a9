import type { BackendId } from '../../../engine/box/contract.ts';
import type { Aim, Credential, Pace, RequestLimits, RoomFile, RoomPaths, ScanStatus } from '../contract.ts';

/** The place where a scanner runs: what it can reach is decided here and not by its arguments. */

export interface RoomOptions {
  readonly id: string;
  /** What the network lets through. */
  readonly aim: Aim;
  readonly limits: RequestLimits;
  readonly pace: Pace;
  /** Requests of programs of others are opened, held against the limits, and given the credential. */
  readonly screened: boolean;
  /** Boxes of this kind are taken only where there are no others. */
  readonly avoids?: BackendId;
  readonly credential: Credential | null;
  /** The longest that it will run. */
  readonly timeoutMs: number;
  /** Where raw output and the capture are kept. */
  readonly folder: string;
}

export interface RoomRun {
  readonly argv: readonly string[];
  readonly files: readonly RoomFile[];
  readonly environment: Readonly<Record<string, string>>;
  readonly outputFile?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Buffer) => void;
}

export interface RunEnd {
  readonly status: ScanStatus;
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly outputFile: Buffer | null;
  /** Everything that it wrote, also beyond the cap. */
  readonly rawFile: string | null;
  readonly notes: readonly string[];
}

export interface Refused {
  readonly to: string;
  readonly because: string;
  readonly count: number;
}

export interface RoomEnd {
  readonly by: 'gate' | 'outside';
  readonly connections: number | null;
  readonly requests: number | null;
  readonly refused: readonly Refused[];
  readonly capture: string | null;
  readonly isComplete: boolean;
}

export interface Room {
  readonly paths: RoomPaths;
  run(run: RoomRun): Promise<RunEnd>;
  close(): Promise<RoomEnd>;
}

export type OpenRoom = (options: RoomOptions) => Promise<Room>;
