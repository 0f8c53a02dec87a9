import type { IndicatorKind } from '../kind.ts';

const form =
  /^(?:[tqd](?:0[0-3]|1[0-3]|s[23]|d[123])[di]\d{4}[a-z0-9]{2}_[0-9a-f]{12}_[0-9a-f]{12}|[tqd]\d{4,6}[a-z0-9]{2}_[0-9a-f]{4}_[0-9a-f]{12})$/;

export const ja4: IndicatorKind = {
  type: 'ja4',
  title: 'JA4 fingerprint of a TLS client or server',
  misp: { type: 'text', category: 'Network activity' },
  readers: [
    {
      trigger: 'name',
      read: (scan, from, to) => {
        if (to - from < 24 || to - from > 40) return undefined;
        const value = scan.text.slice(from, to).toLowerCase();
        if (!form.test(value)) return undefined;
        scan.report({ type: 'ja4', value, from, to, confidence: 0.9 });
        return to;
      },
    },
  ],
};
