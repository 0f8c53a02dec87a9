import { base58Version } from '../base58.ts';
import { isSegwit } from '../bech32.ts';
import { walletKind } from '../wallet-kind.ts';

/** Addresses that begin with 3 are those of Bitcoin as well, and are read as such. */
export const ltc = walletKind({
  type: 'ltc',
  title: 'Litecoin address',
  pattern: /^(?:[LM][A-Za-z0-9]{25,34}|ltc1[a-z0-9]{11,71}|LTC1[A-Z0-9]{11,71})$/,
  isGenuine: (text) => (/^ltc1/i.test(text) ? isSegwit(text, 'ltc') : [0x30, 0x32].includes(base58Version(text) ?? -1)),
});
