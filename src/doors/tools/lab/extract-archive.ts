import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { bytesCount, digest, fileField, short, untrustedText } from './fields.ts';

export const extractArchive = defineLabTool({
  name: 'extract_archive',
  title: 'Open an archive',
  description:
    'Unpacks zip, 7z, rar, tar, gz, bz2, xz, zstd, cab, iso, msi and more into a new folder of the samples. Tries the passwords given, none, infected, malware, virus and the name of the archive. Every file that comes out is a new sample with its origin recorded; nothing that is there is changed or removed.',
  input: z.strictObject({
    archive_file: fileField,
    password: z.string().min(1).max(256).optional().describe('tried first'),
    output_subdir: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('name of the new folder; default: that of the archive'),
    nested_depth: z.number().int().min(0).max(4).default(0).describe('open archives inside it as well, so many levels'),
  }),
  data: z.strictObject({
    extracted_to: short,
    format: z.string().max(64),
    files: z
      .array(
        z.strictObject({
          path: short,
          name: untrustedText(16_384),
          size_bytes: bytesCount,
          sha256: digest(64),
          inside: z.array(untrustedText(4096)).max(16),
          note: short.nullable(),
        }),
      )
      .max(10_000),
    file_count: bytesCount,
    password_used: z.string().max(2048).nullable(),
    refused: z.array(z.strictObject({ name: untrustedText(16_384), because: short })).max(1000),
    refused_count: bytesCount,
    notes: z.array(untrustedText(4096)).max(256),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { timeoutMs: 15 * minuteMs, outputBytes: 4096 * kibibyte },
  examples: [{ input: { archive_file: 'sample.zip' }, says: 'with the usual passwords' }],
  async handle({ archive_file, password, output_subdir, nested_depth }, { open, signal, out, record }) {
    const { unpack } = await import('../../../instruments/lab/operations/unpack.ts');
    const unpacked = await unpack(open, {
      file: archive_file,
      passwords: password === undefined ? [] : [password],
      depth: nested_depth,
      signal,
      ...(output_subdir === undefined ? {} : { folder: output_subdir }),
    });
    await record({
      tool: 'extract_archive',
      what: 'unpack',
      action: 'sample.unpack',
      details: { files: unpacked.files.length, refused: unpacked.refused.length },
      secrets: { file: archive_file },
    });
    out.say(
      `${unpacked.files.length} files of a ${unpacked.format} archive are new samples; ${unpacked.refused.length} were refused.`,
    );
    const lines = unpacked.files.slice(0, 200).map(({ path, sizeBytes }) => `${sizeBytes}\t${path}`);
    if (lines.length > 0) out.quote({ label: 'names of the new samples', text: lines.join('\n') });
    return {
      extracted_to: visibleText(unpacked.folder, 1000),
      format: unpacked.format,
      files: unpacked.files.map(({ path, name, sizeBytes, sha256, inside, note }) => ({
        path: visibleText(path, 1000),
        name: visibleText(name, 2000),
        size_bytes: sizeBytes,
        sha256,
        inside: inside.slice(0, 16).map((each) => visibleText(each, 1000)),
        note: note === null ? null : visibleText(note, 1000),
      })),
      file_count: unpacked.files.length,
      password_used: unpacked.passwordUsed === null ? null : visibleText(unpacked.passwordUsed, 512),
      refused: unpacked.refused
        .slice(0, 1000)
        .map(({ name, because }) => ({ name: visibleText(name, 2000), because: visibleText(because, 1000) })),
      refused_count: unpacked.refused.length,
      notes: unpacked.notes.slice(0, 256).map((note) => visibleText(note, 1000)),
    };
  },
});
