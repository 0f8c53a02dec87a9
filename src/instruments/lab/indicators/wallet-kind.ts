import type { IndicatorKind } from './kind.ts';
import type { IndicatorType } from './types.ts';

interface Wallet {
  readonly type: IndicatorType;
  readonly title: string;
  readonly misp?: string;
  /** What a whole word has to look like before its checksum is worked out. */
  readonly pattern: RegExp;
  readonly isGenuine: (text: string) => boolean;
}

/** Addresses that carry a checksum: without a right one a word is no address, but some word. */
export function walletKind({ type, title, misp, pattern, isGenuine }: Wallet): IndicatorKind {
  return {
    type,
    title,
    misp: { type: misp ?? 'text', category: 'Financial fraud' },
    readers: [
      {
        trigger: 'word',
        read: (scan, from, to) => {
          if (to - from < 14 || to - from > 106) return undefined;
          const text = scan.text.slice(from, to);
          if (!pattern.test(text) || !isGenuine(text)) return undefined;
          const value = /^(?:BC|LTC)1/.test(text) ? text.toLowerCase() : text;
          scan.report({ type, value, from, to, confidence: 0.9 });
          return to;
        },
      },
    ],
  };
}
