import type { Indicator, IndicatorResult } from './types.ts';

/** RFC 4180, and nothing that a spreadsheet would take for a formula: such cells begin with an apostrophe. */

const columns: readonly (readonly [string, (indicator: Indicator) => string])[] = [
  ['type', ({ type }) => type],
  ['value', ({ value }) => value],
  ['original', ({ original }) => original ?? ''],
  ['confidence', ({ confidence }) => String(confidence)],
  ['count', ({ count }) => String(count)],
  ['sources', ({ sources }) => sources.join('; ')],
  ['noise', ({ noise }) => noise ?? ''],
  ['context', ({ context }) => context],
];

function cell(text: string): string {
  const plain = text.replaceAll('\0', '');
  const safe = /^\s*[=+\-@\t\r|%]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function toCsv(result: Pick<IndicatorResult, 'indicators'>): string {
  const rows = result.indicators.map((indicator) => columns.map(([, read]) => cell(read(indicator))).join(','));
  return [columns.map(([name]) => name).join(','), ...rows, ''].join('\r\n');
}
