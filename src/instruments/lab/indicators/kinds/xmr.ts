import { decodeMonero } from '../base58.ts';
import { keccak256 } from '../keccak.ts';
import { walletKind } from '../wallet-kind.ts';

export const xmr = walletKind({
  type: 'xmr',
  title: 'Monero address',
  misp: 'xmr',
  pattern: /^[48][A-Za-z0-9]{94}(?:[A-Za-z0-9]{11})?$/,
  isGenuine: (text) => {
    const bytes = decodeMonero(text);
    if (bytes === undefined || ![18, 19, 42].includes(bytes[0] ?? 0)) return false;
    const check = keccak256(bytes.subarray(0, -4));
    return bytes.subarray(-4).every((byte, index) => byte === check[index]);
  },
});
