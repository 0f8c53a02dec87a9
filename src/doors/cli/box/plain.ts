import { randomBytes } from 'node:crypto';
import type { Policy } from '../../../base/policy-schema.ts';
import type { Box, BoxRecord } from '../../../engine/box/contract.ts';
import { createBox } from '../../../engine/box/index.ts';
import { openNetwork } from '../../../engine/cell/network.ts';
import type { Door } from '../definition.ts';
import { count } from '../terminal/index.ts';
import type { BoxWishes } from './wishes.ts';

/** Where a command is run: a box, or a box that is watched. */
export interface RunPlace {
  readonly spawn: Box['spawn'];
  readonly record: BoxRecord;
  /** Ends it; false when not everything was seen that should have been. May be called again. */
  finish(): Promise<boolean>;
  /** What `--json` adds to the record. */
  extra(): Readonly<Record<string, unknown>>;
  /** Lines below the closing line. */
  lastWords(): string;
}

/** A network that was wished for and is not there is no secret. */
export function closedNetworkNote({ network: { mode } }: Policy, { isOnNetwork }: BoxRecord): string {
  if (mode === 'none' || isOnNetwork) return '';
  const wish = mode === 'fake' ? 'a fake internet' : 'a gate to the hosts of the policy';
  return `hotcell: the network was closed: ${wish} needs root, and gvisor, runc or bwrap\n`;
}

/** A box, with a gate in front of it where the policy lists hosts. */
export async function openPlain(policy: Policy, _: BoxWishes, door: Door): Promise<RunPlace> {
  const { backend, runtimeFolder, dockerSocket } = door.settings.values;
  let refused = 0;
  const network = await openNetwork(policy, {
    runId: randomBytes(6).toString('hex'),
    backend,
    onEvents: async (events) => {
      refused += events.filter(({ kind }) => kind === 'egress-refused').length;
    },
  });
  const close = async (): Promise<boolean> => {
    await network?.close();
    return true;
  };
  try {
    const joined = network === null ? {} : { network: network.network, systemFiles: network.systemFiles };
    const box = await createBox(policy, { backend, runtimeFolder, dockerSocket, ...joined });
    let ended: Promise<boolean> | null = null;
    return {
      spawn: (argv, options) => box.spawn(argv, options),
      get record() {
        return box.record;
      },
      finish: () => {
        ended ??= box
          .close()
          .finally(close)
          .then(() => true);
        return ended;
      },
      extra: () => (network === null ? {} : { refusedConnections: refused }),
      lastWords: () =>
        closedNetworkNote(policy, box.record) +
        (refused === 0 ? '' : `hotcell: ${count(refused, 'connection')} refused: not in the list of the policy\n`),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
