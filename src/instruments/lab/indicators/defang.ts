import { indicatorKinds } from './kinds/index.ts';
import type { IndicatorType } from './types.ts';

/** The way people write an address so that nothing makes a link of it. Read again, it gives the same value. */
export function defang(value: string, type: IndicatorType): string {
  const style = indicatorKinds.find((kind) => kind.type === type)?.defang;
  if (style === undefined) return value;
  if (style === 'host') return value.replaceAll('.', '[.]');
  if (style === 'email') {
    const at = value.lastIndexOf('@');
    return `${value.slice(0, at)}[@]${value.slice(at + 1).replaceAll('.', '[.]')}`;
  }
  const match = /^([a-z0-9]+):\/\/([^/?#]*)(.*)$/is.exec(value);
  if (match === null) return value;
  const [, scheme = '', authority = '', rest = ''] = match;
  const shown = /^https?$/.test(scheme) ? scheme.replace('tt', 'xx') : scheme.replace(/^ftp/, 'fxp');
  const at = authority.lastIndexOf('@') + 1;
  return `${shown}://${authority.slice(0, at)}${authority.slice(at).replaceAll('.', '[.]')}${rest}`;
}
