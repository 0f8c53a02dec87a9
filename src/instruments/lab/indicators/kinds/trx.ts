import { base58Version } from '../base58.ts';
import { walletKind } from '../wallet-kind.ts';

export const trx = walletKind({
  type: 'trx',
  title: 'Tron address',
  pattern: /^T[A-Za-z0-9]{33}$/,
  isGenuine: (text) => base58Version(text) === 0x41,
});
