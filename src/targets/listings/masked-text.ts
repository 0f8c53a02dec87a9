/** Text with everything taken out that a clock, a counter or the name of the client may honestly change. */

const weekdays = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?';
const months =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/**
 * Letters stay wherever they could be words: only digits, names of days and months, and identifiers of a usual length
 * that have a digit are taken out, so that no sentence fits through.
 */
const varying: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, '#'],
  [/\b(?=[a-f]{0,7}\d)[0-9a-f]{8,64}\b/gi, '#'],
  [/(\/tmp\/)[\w.-]{1,40}/g, '$1#'],
  [new RegExp(`\\b${weekdays}\\b|\\b${months}\\b`, 'gi'), '#'],
  // Digits go first: what is left can be looked for without going over a long number again and again.
  [/\d+/g, '#'],
  [/#T#/g, '#'],
  [/#(?:Z|st|nd|rd|th)\b/g, '#'],
  [/\b[ap]\.?m\b/gi, '#'],
  [/#(?:[\s:.,+/-]*#)+/g, '#'],
];

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** `echoes` are words that a server may repeat to the client that said them. */
export function maskedText(text: string, echoes: readonly string[]): string {
  const named = echoes.filter((echo) => echo.length >= 3).toSorted((left, right) => right.length - left.length);
  const unnamed = named.length === 0 ? text : text.replace(new RegExp(named.map(escaped).join('|'), 'gi'), '@');
  return varying.reduce((masked, [pattern, by]) => masked.replace(pattern, by), unnamed);
}
