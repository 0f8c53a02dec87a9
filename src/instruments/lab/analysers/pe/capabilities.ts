import type { Capability, Spelling } from '../native/capability.ts';
import { hostCapabilities } from './capabilities-host.ts';
import { networkCapabilities } from './capabilities-network.ts';
import { processCapabilities } from './capabilities-process.ts';

/** What linked Windows functions make possible. Names stand without the A or W of their text form, and as Nt, not Zw. */
export const windowsCapabilities: readonly Capability[] = [
  ...processCapabilities,
  ...hostCapabilities,
  ...networkCapabilities,
];

export const windowsSpelling: Spelling = (name) => {
  const plain = name.startsWith('Zw') ? `Nt${name.slice(2)}` : name;
  return /[a-z][AW]$/.test(plain) ? [plain, plain.slice(0, -1)] : [plain];
};
