import { createHash } from 'node:crypto';
import type { IndicatorKind } from '../kind.ts';
import { claim } from '../scan.ts';

const header = /-----BEGIN ((?:RSA |EC |DSA |OPENSSH |ENCRYPTED |PGP )?PRIVATE KEY(?: BLOCK)?)-----/g;
const longest = 16_384;

/** The kind of key and the hash of its text: short, and the same wherever the same key stands. */
export const privateKey: IndicatorKind = {
  type: 'private_key',
  title: 'private key',
  misp: { type: 'text', category: 'Artifacts dropped' },
  readers: [
    {
      trigger: 'text',
      read: (scan) => {
        let until = 0;
        for (const match of scan.text.matchAll(header)) {
          if (match.index < until) continue;
          const name = match[1] ?? '';
          const bodyFrom = match.index + match[0].length;
          const piece = scan.text.slice(bodyFrom, bodyFrom + longest);
          // The first dashes decide: a key has none inside.
          const dashes = piece.indexOf('-----');
          const end = piece.startsWith('-----END ', dashes) ? dashes : -1;
          scan.step(end === -1 ? 64 : end);
          const body = (end === -1 ? '' : piece.slice(0, end)).replace(/\\[rn]|\s/g, '');
          const to = end === -1 ? bodyFrom : bodyFrom + end;
          until = to;
          const isWhole = /^[A-Za-z0-9+/=:,.()-]{64,}$/.test(body);
          const value = isWhole ? `${name} sha256:${createHash('sha256').update(body).digest('hex')}` : name;
          scan.report({
            type: 'private_key',
            value,
            from: match.index,
            to: isWhole ? to : bodyFrom,
            confidence: isWhole ? 0.9 : 0.3,
            noise: isWhole ? undefined : 'only the first line of a key',
          });
          if (isWhole) scan.claim(match.index, to, claim.phrase);
        }
        return undefined;
      },
    },
  ],
};
