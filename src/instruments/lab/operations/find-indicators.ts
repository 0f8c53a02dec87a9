import { extractApart } from '../analysis/extract-apart.ts';
import type { SampleText } from '../contract.ts';
import { type IndicatorOptions, type IndicatorResult, toCsv, toMisp, toStix } from '../indicators/index.ts';
import type { Lab } from '../lab.ts';
import { hashBytes } from '../samples/hashes.ts';

/** Indicators of a text, or of everything that can be read in a sample, as a page or as a document for other systems. */

export type IndicatorFormat = 'json' | 'stix' | 'misp' | 'csv';

export interface IndicatorOrder {
  readonly text?: string;
  readonly file?: string;
  readonly format: IndicatorFormat;
  readonly options: IndicatorOptions;
  readonly signal: AbortSignal;
}

/** A document holds all of them, whatever the page is. */
const documentLimit = 10_000;

async function readTexts(lab: Lab, order: IndicatorOrder) {
  if (order.file === undefined)
    return { texts: [{ label: 'text', text: order.text ?? '' }], hashes: [], name: 'text', sha256: undefined };
  const { bytes, name, sha256 } = await lab.samples.read(order.file, order.signal);
  const { runs } = await lab.analysers.run({ bytes, name, depth: 'quick', signal: order.signal });
  const texts: readonly SampleText[] = runs.flatMap(({ analyser, result }) =>
    result.texts.map(({ label, text }) => ({ label: `${analyser}: ${label}`, text })),
  );
  return { texts, hashes: Object.values(await hashBytes(bytes)), name, sha256 };
}

function writeDocument(
  result: IndicatorResult,
  format: IndicatorFormat,
  name: string,
  sha256: string | undefined,
): string | null {
  const about = { name, ...(sha256 === undefined ? {} : { sha256 }) };
  if (format === 'stix') return JSON.stringify(toStix(result, about), null, 1);
  if (format === 'misp') return JSON.stringify(toMisp(result, about), null, 1);
  return format === 'csv' ? toCsv(result) : null;
}

export async function findIndicators(
  lab: Lab,
  order: IndicatorOrder,
): Promise<{ readonly result: IndicatorResult; readonly document: string | null }> {
  const { texts, hashes, name, sha256 } = await readTexts(lab, order);
  const options = { ...order.options, ownHashes: hashes };
  const result = await extractApart(texts, options, order.signal);
  if (order.format === 'json') return { result, document: null };
  const whole = await extractApart(texts, { ...options, offset: 0, limit: documentLimit }, order.signal);
  return { result: { ...result, indicators: [] }, document: writeDocument(whole, order.format, name, sha256) };
}
