import { asArray, asObject, asString, asStrings } from '../../../base/json-shape.ts';
import type { ResponseCollector } from '../contract.ts';

/** A report in a few lines, for models that cannot read structured content. */

const mostFindings = 40;
const mostIndicators = 60;

function line(value: unknown, keys: readonly string[]): string {
  const record = asObject(value);
  return keys.map((key) => String(record[key] ?? '')).join('\t');
}

export function tellReport(report: Record<string, unknown>, out: ResponseCollector): void {
  for (const sentence of asStrings(report.summary)) out.say(sentence);
  for (const advice of asArray(report.action_required)) {
    const { issue, remediation } = asObject(advice);
    out.say(`To do: ${asString(issue) ?? ''} ${asString(remediation) ?? ''}`);
  }
  const findings = asArray(report.findings);
  for (const finding of findings.slice(0, mostFindings)) {
    const { severity, title, evidence_type: type, benign } = asObject(finding);
    out.say(`- [${severity}, ${type}] ${title}. Harmless when: ${benign}`);
    const [first] = asArray(asObject(finding).evidence);
    if (first !== undefined) out.quote({ label: 'evidence', text: line(first, ['where', 'text']) });
  }
  if (findings.length > mostFindings)
    out.say(`${findings.length - mostFindings} further findings are in the structured answer.`);
  const indicators = asArray(report.indicators).slice(0, mostIndicators);
  if (indicators.length > 0) {
    out.quote({
      label: 'indicators',
      text: indicators.map((each) => line(each, ['type', 'value', 'confidence'])).join('\n'),
    });
  }
  for (const step of asStrings(report.next_steps)) out.say(`Next: ${step}`);
}
