import { type Indicator, type IndicatorType, indicatorTypes, toStix } from '../indicators/index.ts';
import type { LabReport } from './schema.ts';

function isKnown(type: string): type is IndicatorType {
  return indicatorTypes.some((each) => each === type);
}

/** The indicators of a report as a STIX bundle, as of when the file was looked at: the same report is the same bundle. */
export function renderStix({ file, indicators, started_at: at }: LabReport): string {
  const known = indicators.flatMap(({ type, value, confidence, count, sources, noise }): readonly Indicator[] =>
    isKnown(type)
      ? [{ type, value, confidence, count, sources, context: '', ...(noise === null ? {} : { noise }) }]
      : [],
  );
  const bundle = toStix({ indicators: known }, { name: file.name, sha256: file.sha256, at: new Date(at) });
  return `${JSON.stringify(bundle, null, 2)}\n`;
}
