import { forTerminal, untrusted } from './untrusted.ts';

/** What a terminal would not simply show is written as JSON's own escape; JSON.stringify does that for some only. */
function escapeUnseen(character: string): string {
  if (forTerminal(untrusted(character)) === character) return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** JSON that means the same to a program and cannot steer the terminal of a person. */
export function formatJson(value: unknown, indent: 0 | 2 = 2): string {
  return `${JSON.stringify(value, null, indent).replace(/[^\x20-\x7e\n]/gu, escapeUnseen)}\n`;
}
