import type { IndicatorKind } from '../kind.ts';
import { readColons, reportMac } from '../read-colons.ts';

const forms = /^(?:(?:[0-9a-f]{2}-){5}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})$/i;

export const mac: IndicatorKind = {
  type: 'mac',
  title: 'MAC address',
  misp: { type: 'mac-address', category: 'Network activity' },
  stix: { path: 'mac-addr:value', observable: (value) => ({ type: 'mac-addr', value }) },
  readers: [
    { trigger: 'colon', read: readColons },
    {
      trigger: 'name',
      read: (scan, from, to) => {
        if (to - from !== 17 && to - from !== 14) return undefined;
        const raw = scan.text.slice(from, to);
        if (!forms.test(raw)) return undefined;
        reportMac(scan, raw, from, to);
        return to;
      },
    },
  ],
};
