import { base58Version } from '../base58.ts';
import { walletKind } from '../wallet-kind.ts';

export const doge = walletKind({
  type: 'doge',
  title: 'Dogecoin address',
  pattern: /^[DA9][A-Za-z0-9]{25,34}$/,
  isGenuine: (text) => [0x1e, 0x16].includes(base58Version(text) ?? -1),
});
