import type { Indicator, IndicatorResult, IndicatorType } from './types.ts';

/** Indicators as strings that a YARA rule can hold. */

/** A text in quotes: everything that is not plain ASCII as bytes of UTF-8. */
export function yaraString(value: string): string {
  let out = '';
  for (const byte of Buffer.from(value, 'utf8')) {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') out += `\\${character}`;
    else out += byte >= 0x20 && byte < 0x7f ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${out}"`;
}

/** What lies in the file as it is written here. */
const searchable = new Set<IndicatorType>(
  'url domain ipv4 email onion webhook user_agent windows_path unc_path unix_path pdb_path registry_key mutex named_pipe scheduled_task service_name btc ltc doge trx eth xmr cloud_key'.split(
    ' ',
  ) as IndicatorType[],
);

function lineOf(indicator: Indicator, index: number): string {
  const isCaseless = !['btc', 'ltc', 'doge', 'trx', 'xmr', 'cloud_key', 'mutex'].includes(indicator.type);
  return `    $${indicator.type}_${index} = ${yaraString(indicator.original ?? indicator.value)} ascii wide${isCaseless ? ' nocase' : ''}`;
}

/** A rule that matches what names any of them; nothing when none is fit for it. */
export function toYara(
  result: Pick<IndicatorResult, 'indicators'>,
  options: { readonly name: string; readonly atLeast?: number },
): string | undefined {
  const lines = result.indicators
    .filter(
      ({ type, value, noise, confidence }) =>
        noise === undefined && confidence >= (options.atLeast ?? 0.5) && searchable.has(type) && value.length >= 6,
    )
    .filter(({ value, original }) => (original ?? value).length <= 1024)
    .slice(0, 500)
    .map(lineOf);
  if (lines.length === 0) return undefined;
  const name = options.name.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 100);
  return `rule indicators_${name}\n{\n  strings:\n${lines.join('\n')}\n  condition:\n    any of them\n}\n`;
}
