import { isGenuine, readFormats } from '../../../../targets/secrets/formats.ts';
import { isExampleToken } from '../../../../targets/secrets/placeholder.ts';
import type { IndicatorKind } from '../kind.ts';

/** Types of their own. */
const elsewhere = new Set(['slack-webhook', 'discord-webhook', 'private-key']);

/** The formats of secrets that the rest of the product goes by as well. */
export const cloudKey: IndicatorKind = {
  type: 'cloud_key',
  title: 'access key or token',
  misp: { type: 'text', category: 'Artifacts dropped' },
  readers: [
    {
      trigger: 'text',
      read: (scan) => {
        for (const format of readFormats()) {
          if (elsewhere.has(format.id) || !scan.text.includes(format.keyword)) continue;
          for (const match of scan.text.matchAll(format.pattern)) {
            const [value] = match;
            const noise = isExampleToken(value)
              ? 'looks like an example'
              : isGenuine(format, value)
                ? undefined
                : 'its checksum is wrong';
            const confidence = noise !== undefined ? 0.1 : format.severity === 'high' ? 0.9 : 0.7;
            scan.report({
              type: 'cloud_key',
              value,
              from: match.index,
              to: match.index + value.length,
              confidence,
              noise,
            });
          }
        }
        return undefined;
      },
    },
  ],
};
