import { base58Version } from '../base58.ts';
import { isSegwit } from '../bech32.ts';
import { walletKind } from '../wallet-kind.ts';

export const btc = walletKind({
  type: 'btc',
  title: 'Bitcoin address',
  misp: 'btc',
  pattern: /^(?:[13][A-Za-z0-9]{25,34}|bc1[a-z0-9]{11,71}|BC1[A-Z0-9]{11,71})$/,
  isGenuine: (text) => (/^bc1/i.test(text) ? isSegwit(text, 'bc') : [0, 5].includes(base58Version(text) ?? -1)),
});
