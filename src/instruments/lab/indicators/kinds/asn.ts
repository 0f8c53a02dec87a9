import type { IndicatorKind } from '../kind.ts';

export const asn: IndicatorKind = {
  type: 'asn',
  title: 'number of an autonomous system',
  misp: { type: 'AS', category: 'Network activity' },
  stix: {
    path: 'autonomous-system:number',
    comparison: (value) => `autonomous-system:number = ${value.slice(2)}`,
    observable: (value) => ({ type: 'autonomous-system', number: Number(value.slice(2)) }),
  },
  readers: [
    {
      trigger: 'word',
      read: (scan, from, to) => {
        if (to - from > 13) return undefined;
        const match = /^ASN?(\d{1,10})$/.exec(scan.text.slice(from, to));
        if (scan.text.charAt(to) === '_' || scan.text.slice(from, to) === 'ASN1') return undefined;
        const number = Number(match?.[1] ?? 0);
        if (match === null || number < 1 || number > 0xffffffff) return undefined;
        const isLabelled =
          match[0].startsWith('ASN') ||
          /\b(?:asn|autonomous system|bgp|origin)\b[^\n]{0,12}$/.test(scan.before(from, 32));
        const noise = number < 1000 && !isLabelled ? 'too short to be sure' : undefined;
        scan.report({
          type: 'asn',
          value: `AS${number}`,
          from,
          to,
          confidence: noise ? 0.1 : isLabelled ? 0.7 : 0.4,
          noise,
        });
        return to;
      },
    },
  ],
};
