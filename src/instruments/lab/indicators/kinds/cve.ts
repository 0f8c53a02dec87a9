import type { IndicatorKind } from '../kind.ts';

const form = /(?<![a-z0-9])cve[-_\u2010-\u2013 ](19|20)(\d{2})[-_\u2010-\u2013](\d{4,7})(?!\d)/gi;

export const cve: IndicatorKind = {
  type: 'cve',
  title: 'known vulnerability',
  misp: { type: 'vulnerability', category: 'External analysis' },
  readers: [
    {
      trigger: 'text',
      read: (scan) => {
        for (const match of scan.text.matchAll(form)) {
          const [whole, century = '', year = '', number = ''] = match;
          if (Number(century + year) < 1999) continue;
          const value = `CVE-${century}${year}-${number}`;
          scan.report({ type: 'cve', value, from: match.index, to: match.index + whole.length, confidence: 0.8 });
        }
        return undefined;
      },
    },
  ],
};
