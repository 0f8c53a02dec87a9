import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { visible, visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { record as anyRecord, bytesCount, fileField, short, untrustedText } from './fields.ts';

export const verifyStringUsage = defineLabTool({
  name: 'verify_string_usage',
  title: 'Whether code uses a string',
  description:
    'Finds a text in a program and looks whether code refers to it, or only data, or nothing: a string that merely lies there is no behaviour. In packed or managed files nothing found proves nothing, and the answer says so.',
  input: z.strictObject({
    file: fileField,
    query: z.string().min(1).max(1000).describe('the text, or a part of it'),
    depth: z.enum(['standard', 'deep']).default('standard').describe('how closely the file itself is looked at first'),
    max_matches: z.number().int().min(1).max(500).default(50).describe('at most so many strings'),
  }),
  data: z.strictObject({
    file: short,
    file_type: z.string().max(512),
    query: untrustedText(16_384),
    is_code_file: z.boolean(),
    engine: z.string().max(64),
    machine: z.string().max(64).nullable(),
    packer_detected: z.string().max(1024).nullable(),
    analysis_complete: z.boolean(),
    basis: z.string().max(2048),
    match_count: bytesCount,
    matches_truncated: z.boolean(),
    matches: z.array(anyRecord).max(500),
    note: z.string().max(4096),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 5 * minuteMs, outputBytes: 1000 * kibibyte },
  examples: [{ input: { file: 'sample.exe', query: 'cmd.exe' }, says: 'who refers to it' }],
  async handle({ file, query, depth, max_matches }, { open, signal, out }) {
    const [{ factOf, knowSample }, { findStringUsage }] = await Promise.all([
      import('../../../instruments/lab/operations/know-sample.ts'),
      import('../../../instruments/lab/behaviours/index.ts'),
    ]);
    const { sample, kind, facts } = await knowSample(open, file, depth, signal);
    const packer = factOf(facts, 'packer');
    const {
      matches,
      query: asked,
      packer_detected: named,
      ...report
    } = findStringUsage(sample.bytes, query, {
      maxMatches: max_matches,
      packer: typeof packer === 'string' ? packer : null,
      isManaged: kind.id === 'dotnet',
    });
    out.say(`${report.match_count} places. ${report.note}`);
    const lines = matches.slice(0, 40).map(({ value, xref_status: status, note }) => `${status}\t${value}\t${note}`);
    if (lines.length > 0) out.quote({ label: 'strings and who refers to them', text: lines.join('\n') });
    return {
      file: visibleText(sample.name, 1000),
      file_type: kind.title,
      query: visibleText(asked, 1000),
      ...report,
      packer_detected: named === null ? null : visibleText(named, 200),
      matches: matches.map((match) => visible(match)),
    };
  },
});
