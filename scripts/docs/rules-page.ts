import { ruleCatalogue } from '../../src/instruments/analyze/scan/index.ts';
import { type Page, table, titled } from './page.ts';

export const rulesPage: Page = {
  path: 'docs/reference/rules.md',
  render() {
    const rows = ruleCatalogue().map(({ id, title, severity, axis, cwe, owasp }) => [
      `\`${id}\``,
      title,
      severity,
      axis,
      [...cwe, ...owasp].join(' '),
    ]);
    const body = [
      '`hotcell scan --explain RULE` prints what a rule looks for, why, and an example that it fires on and one that it does not. The severity is the usual one; what is known about the place can lower or raise it.',
      table(['rule', 'what', 'severity', 'axis', 'CWE, OWASP MCP'], rows).trim(),
    ];
    return titled('Rules', body.join('\n\n'));
  },
};
