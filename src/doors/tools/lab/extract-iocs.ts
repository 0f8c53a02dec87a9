import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { kibibyte, mebibyte, minuteMs } from '../../../base/limits.ts';
import { indicatorTypes } from '../../../instruments/lab/indicators/types.ts';
import { visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { bytesCount, fileField, untrustedText } from './fields.ts';

const formats = ['json', 'stix', 'misp', 'csv'] as const;

const indicator = z.strictObject({
  value: untrustedText(40_000),
  type: z.enum(indicatorTypes),
  confidence: z.number().min(0).max(1),
  count: bytesCount,
  sources: z.array(z.string().max(4096)).max(10),
  noise: z.string().max(1024).nullable(),
});

export const extractIocs = defineLabTool({
  name: 'extract_iocs',
  title: 'Indicators in a text or a sample',
  description:
    'Finds addresses, domains, URLs, hashes, paths, registry keys, mutexes, wallets, e-mail addresses, CVEs, keys and more, in defanged text too, each with how sure the reading is. What is probably nothing is counted as noise and told with its reason when asked for. As JSON page by page, or whole as STIX 2.1, MISP or CSV.',
  input: z.strictObject({
    text: z
      .string()
      .max(8 * mebibyte)
      .optional()
      .describe('the text to look at; this or file'),
    file: fileField.optional().describe('a sample or an output: its text in every encoding is looked at'),
    include_noise: z.boolean().default(false).describe('also what is probably nothing, with the reason'),
    include_private_ips: z.boolean().default(false).describe('private and loopback addresses are no noise'),
    types: z.array(z.enum(indicatorTypes)).max(indicatorTypes.length).optional().describe('only these'),
    offset: z.number().int().min(0).max(1_000_000).default(0).describe('leave out so many of each type'),
    limit: z.number().int().min(1).max(1000).default(100).describe('at most so many of each type'),
    format: z.enum(formats).default('json').describe('json; or a whole document in the field document'),
  }),
  data: z.strictObject({
    iocs: z.array(indicator).max(50_000),
    summary: z.strictObject({
      total: bytesCount,
      noise_filtered: bytesCount,
      by_type: z.record(z.string().max(64), bytesCount),
      next_offset: bytesCount.nullable(),
    }),
    document: z
      .string()
      .max(16 * mebibyte)
      .nullable()
      .describe('untrusted values inside'),
    notes: z.array(z.string().max(2048)).max(64),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 5 * minuteMs, outputBytes: 1000 * kibibyte },
  examples: [
    { input: { text: 'beacon to hxxps://evil[.]example/gate.php' }, says: 'from a text' },
    { input: { file: 'sample.exe', format: 'stix' }, says: 'of a sample, as STIX' },
  ],
  async handle(input, { open, signal, out }) {
    if ((input.text === undefined) === (input.file === undefined)) {
      throw new UsageError('give a text or a file, and not both', { code: 'INVALID_INPUT' });
    }
    const { findIndicators } = await import('../../../instruments/lab/operations/find-indicators.ts');
    const { result, document } = await findIndicators(open, {
      ...(input.text === undefined ? {} : { text: input.text }),
      ...(input.file === undefined ? {} : { file: input.file }),
      format: input.format,
      signal,
      options: {
        includeNoise: input.include_noise,
        includePrivateAddresses: input.include_private_ips,
        offset: input.offset,
        limit: input.limit,
        ...(input.types === undefined ? {} : { types: input.types }),
      },
    });
    out.say(`${result.total} indicators, and ${result.noiseTotal} that are probably nothing.`);
    const lines = result.indicators
      .slice(0, 500)
      .map(({ type, value, confidence }) => `${type}\t${confidence}\t${value}`);
    if (lines.length > 0) out.quote({ label: 'indicators', text: lines.join('\n') });
    const counts = Object.entries(result.totals).map(([type, { total }]): [string, number] => [type, total]);
    return {
      iocs: result.indicators.map(({ type, value, confidence, count, sources, noise }) => ({
        value: visibleText(value, 8192),
        type,
        confidence,
        count,
        sources: sources.slice(0, 10).map((source) => visibleText(source, 512)),
        noise: noise ?? null,
      })),
      summary: {
        total: result.total,
        noise_filtered: result.noiseTotal,
        by_type: Object.fromEntries(counts.filter(([, total]) => total > 0)),
        next_offset: result.nextOffset ?? null,
      },
      document,
      notes: result.notes.slice(0, 64).map((note) => note.slice(0, 2048)),
    };
  },
});
