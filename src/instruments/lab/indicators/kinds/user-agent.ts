import type { IndicatorKind } from '../kind.ts';
import { claim, type Scan } from '../scan.ts';

const longest = 512;
const start =
  /(?<![\w/.-])(?:Mozilla|Opera|curl|Wget|python-requests|Python-urllib|Go-http-client|WinHTTP|Microsoft-CryptoAPI|Microsoft BITS|WindowsPowerShell|Java|okhttp|libwww-perl|AutoIt|NSIS_Inetc|axios|node-fetch|Dalvik)\/\d[\w.+-]{0,32}/g;
const label = /\buser[-_ ]?agent["']?\s{0,2}[:=,]\s{0,2}(["'`]?)/gi;
const more =
  /^ (?:\([^()\n\r\0]{0,200}(?:\([^()\n\r\0]{0,80}\)[^()\n\r\0]{0,80})?\)|[A-Za-z][\w.-]{0,40}\/[\w.+-]{1,40})/;
/** A whole browser says of itself. */
const everyday = /^Mozilla\/5\.0 \([^)]*\) (?:AppleWebKit|Gecko)\/[\d.]+ .*(?:Chrome|Firefox|Safari|Edg)\/[\d.]+$/;

function report(scan: Scan, from: number, to: number, isLabelled: boolean): void {
  const value = scan.text.slice(from, to);
  const confidence = isLabelled ? 0.8 : everyday.test(value) ? 0.5 : 0.6;
  scan.report({ type: 'user_agent', value, from, to, confidence });
  scan.claim(from, to, claim.agent);
}

/** Product after product, and what stands in brackets between them: a sentence around it is not taken in. */
function products(scan: Scan, from: number, first: number): number {
  let end = first;
  while (end - from < longest) {
    const next = more.exec(scan.text.slice(end, end + 400));
    scan.step(32);
    if (next === null) break;
    end += next[0].length;
  }
  return end;
}

export const userAgent: IndicatorKind = {
  type: 'user_agent',
  title: 'user agent of HTTP',
  misp: { type: 'user-agent', category: 'Network activity' },
  stix: { path: "network-traffic:extensions.'http-request-ext'.request_header.'User-Agent'" },
  readers: [
    {
      trigger: 'text',
      read: (scan) => {
        for (const match of scan.text.matchAll(label)) {
          const from = match.index + match[0].length;
          const piece = scan.text.slice(from, from + longest);
          scan.step(64);
          const quote = match[1] ?? '';
          const stop = piece.search(quote === '' ? /[\n\r\0"`|<>]|\\[rn]/ : /[\n\r\0"'`]/);
          const value = piece.slice(0, stop === -1 ? piece.length : stop).trimEnd();
          if (value.length < 3 || !/^[A-Za-z0-9]/.test(value)) continue;
          report(scan, from, from + value.length, true);
        }
        for (const match of scan.text.matchAll(start)) {
          if (scan.claimAt(match.index) !== claim.free) continue;
          const end = products(scan, match.index, match.index + match[0].length);
          report(scan, match.index, end, false);
        }
        return undefined;
      },
    },
  ],
};
