import type { BackendId } from '../../engine/box/contract.ts';

/** How probe is set up. */

/**
 * `gate`: each scan runs in a box behind a gate that lets its aim through. `outside`: in a container that is thrown
 * away, whose network the host restricts; nothing here can keep the scope on the wire.
 */
export const networkLayers = ['gate', 'outside'] as const;
export type NetworkLayer = (typeof networkLayers)[number];

export interface ProbeOptions {
  /** Null where none was named: then nothing is scanned. */
  readonly scopeFile: string | null;
  readonly networkLayer: NetworkLayer;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where results are kept. */
  readonly homeFolder: string;
  readonly backend: BackendId | 'auto';
  readonly runtimeFolder: string;
  readonly dockerSocket: string;
}
