import type { Severity } from '../../../base/finding-schema.ts';
import type { Verdict } from '../../../base/verdict-schema.ts';
import type { Style } from '../terminal/index.ts';

/** The colours of judgement. */

export function paintSeverity(severity: Severity, style: Style, text: string = severity.padEnd(8)): string {
  if (severity === 'critical' || severity === 'high') return style.bad(style.strong(text));
  return severity === 'medium' ? style.warn(text) : style.faint(text);
}

export function paintBand(band: Verdict['band'], text: string, style: Style): string {
  if (band === 'fails') return style.bad(style.strong(text));
  if (band === 'passes') return style.good(style.strong(text));
  return style.warn(style.strong(text));
}

/** By what decided the axis: proof and observation, an excess or a hint, nothing at all. */
export function paintLabel(label: string, worst: string | null, style: Style): string {
  if (worst === 'A' || worst === 'B') return style.bad(style.strong(label));
  return worst === null ? label : style.warn(label);
}
