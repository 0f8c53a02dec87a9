import { UsageError } from '../../../base/errors.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import type { RuleText } from '../../../evidence/rule-text.ts';
import { type Terminal, wrap } from '../terminal/index.ts';

export function explainRule(id: string, rules: readonly RuleText[], terminal: Terminal): string {
  const rule = rules.find((known) => known.id === id);
  if (rule === undefined) {
    const ids = rules.map((known) => known.id);
    const guess = findNearest(id, ids);
    const hint = guess === null ? `rules: ${ids.join(', ')}` : `did you mean ${guess}?`;
    throw new UsageError(`there is no rule called ${JSON.stringify(id)}`, { hint });
  }
  const { style } = terminal;
  const width = Math.min(terminal.width, 100);
  const text = (words: string): string => wrap(words, width).join('\n');
  const code = (words: string): string =>
    words
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`)
      .join('\n');
  const parts = [
    `${style.strong(rule.id)}  ${rule.title}`,
    style.faint([rule.severity, rule.axis, ...rule.cwe, ...rule.owasp].join('  ')),
    text(rule.what),
    text(rule.why),
    `${style.good('Remedy:')} ${text(rule.remediation)}`,
    ...(rule.fires === '' ? [] : [`${style.bad('Fires on')}\n\n${code(rule.fires)}`]),
    ...(rule.silent === '' ? [] : [`${style.good('Silent on')}\n\n${code(rule.silent)}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}
