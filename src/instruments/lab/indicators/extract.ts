import { UsageError } from '../../../base/errors.ts';
import type { SampleText } from '../contract.ts';
import { Collector } from './collect.ts';
import { limits } from './limits.ts';
import { readText } from './read-text.ts';
import { refang } from './refang.ts';
import { Scan } from './scan.ts';
import type {
  Indicator,
  IndicatorOptions,
  IndicatorResult,
  IndicatorTexts,
  IndicatorType,
  TypeTotal,
} from './types.ts';

/** Finds indicators in texts. Time grows with the length of the texts and with nothing else. */
export function extractIndicators(texts: IndicatorTexts, options: IndicatorOptions = {}): IndicatorResult {
  return extractCounted(texts, options).result;
}

/** The same, and how many steps it took. */
export function extractCounted(
  texts: IndicatorTexts,
  options: IndicatorOptions = {},
): { readonly result: IndicatorResult; readonly steps: number } {
  const { offset = 0, limit = limits.pageSize } = options;
  if (!Number.isSafeInteger(offset) || offset < 0) throw new UsageError('offset must be a whole number of at least 0');
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > limits.valuesPerType)
    throw new UsageError(`limit must be a whole number from 1 to ${limits.valuesPerType}`);
  const notes: string[] = [];
  const collector = new Collector(options.ownHashes ?? [], options.types);
  let steps = 0;
  let overlong = 0;
  for (const { label, text } of cap(typeof texts === 'string' ? [{ label: 'text', text: texts }] : texts, notes)) {
    collector.begin(label);
    const scan = new Scan(text, refang(text), {
      includePrivateAddresses: options.includePrivateAddresses === true,
      report: (sighting, from) => collector.add(sighting, from),
      tick: options.tick ?? (() => undefined),
    });
    readText(scan);
    steps += scan.steps;
    overlong += scan.overlong;
  }
  if (overlong > 0)
    notes.push(`${overlong} runs of characters are longer than any real address or path; they were not read as one`);
  return { result: page(collector, options, offset, limit, notes), steps };
}

function cap(texts: readonly SampleText[], notes: string[]): readonly SampleText[] {
  let room: number = limits.inputLength;
  let cut = 0;
  const kept: SampleText[] = [];
  for (const { label, text } of texts) {
    const taken = Math.min(room, text.length);
    room -= taken;
    cut += text.length - taken;
    if (taken > 0) kept.push({ label, text: taken === text.length ? text : text.slice(0, taken) });
  }
  if (cut > 0) notes.push(`${cut} characters beyond the first ${limits.inputLength} were not searched`);
  return kept;
}

function page(
  collector: Collector,
  options: IndicatorOptions,
  offset: number,
  limit: number,
  notes: string[],
): IndicatorResult {
  const indicators: Indicator[] = [];
  const totals: Partial<Record<IndicatorType, TypeTotal>> = {};
  let [total, noiseTotal, isMore] = [0, 0, false];
  for (const type of collector.types()) {
    const all = collector.listOf(type);
    const plain = all.filter(({ noise }) => noise === undefined);
    const noisy = all.filter(({ noise }) => noise !== undefined);
    const listed = options.includeNoise ? [...plain, ...noisy] : plain;
    const shown = listed.slice(offset, offset + limit);
    const dropped = collector.droppedOf(type);
    if (dropped > 0)
      notes.push(
        `${type}: ${dropped} sightings beyond the first ${limits.valuesPerType} distinct values were not kept`,
      );
    indicators.push(...shown);
    totals[type] = { total: plain.length, noise: noisy.length, shown: shown.length, dropped };
    total += plain.length;
    noiseTotal += noisy.length;
    isMore ||= listed.length > offset + limit;
  }
  return { indicators, totals, total, noiseTotal, ...(isMore ? { nextOffset: offset + limit } : {}), notes };
}
