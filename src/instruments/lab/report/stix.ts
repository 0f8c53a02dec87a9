import { extractIndicators, toStix } from '../indicators/index.ts';
import type { LabReport } from './schema.ts';

/** The indicators of a report as a STIX bundle. They are read again from their values, so that there is one writer of STIX. */
export function renderStix({ file, indicators }: LabReport): string {
  const texts = indicators.map(({ value, sources }) => ({ label: sources[0] ?? 'report', text: value }));
  const result = extractIndicators(texts, { limit: indicators.length + 1 });
  const known = new Map(indicators.map((each) => [`${each.type}\0${each.value}`, each]));
  const kept = result.indicators.filter(({ type, value }) => known.has(`${type}\0${value}`));
  return `${JSON.stringify(toStix({ ...result, indicators: kept }, { name: file.name, sha256: file.sha256 }), null, 2)}\n`;
}
