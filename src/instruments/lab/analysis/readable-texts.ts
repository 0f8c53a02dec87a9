import { kibibyte } from '../../../base/limits.ts';
import type { AnalyserRun } from '../contract.ts';
import type { LabReport } from '../report/schema.ts';

/** Macros, scripts and decoded layers for whoever wants to read them. What every file is searched for is not among them. */

const sources: ReadonlySet<string> = new Set(['office', 'rtf', 'onenote', 'pdf', 'lnk', 'script', 'mail', 'dotnet']);
const mostTexts = 20;
const mostCharacters = 8 * kibibyte;
const mostInAll = 40 * kibibyte;

export function readableTexts(runs: readonly AnalyserRun[]): NonNullable<LabReport['texts']> {
  const all = runs
    .filter(({ analyser }) => sources.has(analyser))
    .flatMap(({ analyser, result }) => result.texts.map(({ label, text }) => ({ source: analyser, label, text })));
  let left = mostInAll;
  return all.slice(0, mostTexts).flatMap(({ source, label, text }) => {
    const shown = text.slice(0, Math.min(mostCharacters, left));
    left -= shown.length;
    return shown === '' ? [] : [{ source, label, text: shown, characters: text.length }];
  });
}
