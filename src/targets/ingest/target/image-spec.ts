import { UsageError } from '../../../base/errors.ts';
import type { ImageTarget } from './contract.ts';

/**
 *     [host[:port]/]path[:tag][@algorithm:digest]
 */
const host = '(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\\d{1,5})?/)?';
const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const reference = new RegExp(
  `^${host}${component}(?:/${component})*(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(?:@[a-z0-9]+:[0-9a-f]{32,128})?$`,
);

export function parseImage(text: string): ImageTarget {
  if (text.length <= 512 && reference.test(text)) return { kind: 'image', reference: text };
  throw new UsageError(`${JSON.stringify(text)} is not the name of an image`, { hint: 'write image:name:tag' });
}
