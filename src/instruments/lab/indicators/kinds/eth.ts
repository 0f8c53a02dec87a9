import { keccak256 } from '../keccak.ts';
import type { IndicatorKind } from '../kind.ts';

/** Capitals are a checksum where there are any (EIP-55). */
function capitalsFit(digits: string): boolean {
  const hash = Buffer.from(keccak256(Buffer.from(digits.toLowerCase()))).toString('hex');
  return [...digits].every((character, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8
      ? character === character.toUpperCase()
      : character === character.toLowerCase(),
  );
}

export const eth: IndicatorKind = {
  type: 'eth',
  title: 'Ethereum address',
  misp: { type: 'text', category: 'Financial fraud' },
  readers: [
    {
      trigger: 'word',
      read: (scan, from, to) => {
        if (to - from !== 42) return undefined;
        const text = scan.text.slice(from, to);
        if (!/^0x[0-9a-f]{40}$/i.test(text)) return undefined;
        const digits = text.slice(2);
        const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
        const noise = new Set(digits.toLowerCase()).size < 5 ? 'address of nobody' : undefined;
        const confidence = noise !== undefined ? 0.1 : !isMixed ? 0.6 : capitalsFit(digits) ? 0.95 : 0.3;
        scan.report({ type: 'eth', value: text.toLowerCase(), from, to, confidence, noise });
        return to;
      },
    },
  ],
};
