import type { IndicatorKind } from '../kind.ts';
import { reportPort } from '../read-url.ts';

const forms =
  /\bport(?:s|\s?number)?["']?\s{0,2}(?:[:=#]|is|of)?\s{0,2}["']?(\d{1,5})(?![\d.])|(?<![\w./:-])(?:tcp|udp)[/: ](\d{2,5})(?![\d.])|(?<![\w./:-])(\d{2,5})\/(?:tcp|udp)\b/gi;

/** By the words around it, and after a host with a colon. */
export const networkPort: IndicatorKind = {
  type: 'network_port',
  title: 'network port',
  misp: { type: 'port', category: 'Network activity' },
  stix: { path: 'network-traffic:dst_port', isNumber: true },
  readers: [
    {
      trigger: 'text',
      read: (scan) => {
        for (const match of scan.text.matchAll(forms)) {
          const port = match[1] ?? match[2] ?? match[3] ?? '';
          reportPort(scan, port, match.index + match[0].lastIndexOf(port));
        }
        return undefined;
      },
    },
  ],
};
