import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { visible, visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { record as anyRecord, bytesCount, digest, fileField, untrustedText } from './fields.ts';

const side = z.strictObject({
  file: untrustedText(16_384),
  sha256: digest(64),
  file_type: z.string().max(512),
  size_bytes: bytesCount,
});

export const compareFiles = defineLabTool({
  name: 'compare_files',
  title: 'Two samples side by side',
  description:
    'Compares two samples: kind, size, entropy, architecture, compiler, packer, imports, sections, exports, strings, findings, and how alike they are by fuzzy hashes.',
  input: z.strictObject({
    file_a: fileField,
    file_b: fileField,
    depth: z.enum(['quick', 'standard']).default('standard').describe('how closely each is looked at'),
  }),
  data: z.strictObject({
    depth: z.string().max(16),
    basis: z.string().max(512),
    file_a: side,
    file_b: side,
    diff: anyRecord,
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 10 * minuteMs, outputBytes: 512 * kibibyte },
  examples: [{ input: { file_a: 'first.exe', file_b: 'second.exe' }, says: 'what changed from one to the other' }],
  async handle({ file_a, file_b, depth }, { open, signal, out }) {
    const { compareTwo } = await import('../../../instruments/lab/operations/compare.ts');
    const { a, b, diff } = await compareTwo(open, [file_a, file_b], depth, signal);
    const show = ({ sample, kind }: typeof a) => ({
      file: visibleText(sample.name, 1000),
      sha256: sample.sha256,
      file_type: kind.title,
      size_bytes: sample.sizeBytes,
    });
    out.say(
      diff.is_identical
        ? 'They are the same, byte for byte.'
        : `ssdeep ${diff.similarity.ssdeep ?? 'cannot tell'} of 100, TLSH distance ${diff.similarity.tlsh ?? 'cannot tell'}; imports +${diff.imports.added_count} -${diff.imports.removed_count}, strings +${diff.strings.added_count} -${diff.strings.removed_count}.`,
    );
    for (const note of diff.notes) out.say(note);
    return {
      depth,
      basis: 'What our own analysers read in each; nothing was run.',
      file_a: show(a),
      file_b: show(b),
      diff: visible(diff),
    };
  },
});
