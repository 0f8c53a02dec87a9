import { shapeRules, type ValueTest } from '../rules.ts';
import { judgeVariable } from './variables.ts';

/** Whether a value is one that does harm, by what the table says of it. */

const longestTested = 4096;

/** Patterns come from our own table and the text is bounded. */
function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'su').test(text.slice(0, longestTested).toLowerCase());
}

function isHarmfulSetting(config: string, text: string, further: string | undefined): boolean {
  const equals = text.indexOf('=');
  const key = (equals === -1 ? text : text.slice(0, equals)).trim();
  const value = equals === -1 ? (further ?? '') : text.slice(equals + 1);
  const rows = shapeRules.configs[config] ?? [];
  return rows.some(
    (row) =>
      matches(`^(?:${row.key})$`, key) &&
      (row.value === undefined || matches(row.value, value)) &&
      (row.not === undefined || !matches(row.not, value)),
  );
}

/** `further` is the word behind it, for settings that are written as two words. */
export function isHarmful(rule: ValueTest, given: string | null, further?: string): boolean {
  const value = given ?? '';
  if (rule.config !== undefined) return isHarmfulSetting(rule.config, value, further);
  if (rule.package !== undefined) return matches(shapeRules.packages[rule.package] ?? '$.', value);
  if (rule.variables === true) return judgeVariable(value) === 'harmful';
  if (rule.not !== undefined && matches(rule.not, value)) return false;
  return rule.value === undefined || matches(rule.value, value);
}
