import { z } from 'zod';
import { kibibyte, mebibyte, minuteMs } from '../../../base/limits.ts';
import { visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { bytesCount, digest, fileField, short, untrustedText } from './fields.ts';

/** More than enough for every mark that tells kinds apart, where a sample is too large to hold. */
const headBytes = 4 * mebibyte;

export const getFileInfo = defineLabTool({
  name: 'get_file_info',
  title: 'What a file is',
  description:
    'Tells the kind of a sample by its content (never by its name), its size and its hashes, and where it came from. Runs nothing.',
  input: z.strictObject({ file: fileField }),
  data: z.strictObject({
    file: untrustedText(16_384),
    path: short,
    file_type: short,
    kind: z.string().max(32),
    mime: z.string().max(128),
    name_mismatch: short.nullable(),
    sha256: digest(64),
    sha1: digest(40),
    md5: digest(32),
    size_bytes: bytesCount,
    origins: z
      .array(
        z.strictObject({
          how: untrustedText(4096),
          parent: digest(64).nullable(),
          original_name: untrustedText(16_384),
          at: z.string().max(32),
        }),
      )
      .max(64),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 15 * minuteMs, outputBytes: 256 * kibibyte },
  examples: [{ input: { file: 'sample.exe' }, says: 'kind, size and hashes' }],
  async handle({ file }, { open, signal, out }) {
    const [{ recogniseKind }, { mostSampleBytes }] = await Promise.all([
      import('../../../instruments/lab/recognise/index.ts'),
      import('../../../instruments/lab/samples/room.ts'),
    ]);
    const ref = await open.samples.find(file, signal);
    const bytes =
      ref.sizeBytes <= mostSampleBytes
        ? (await open.samples.read(ref.path, signal)).bytes
        : await open.samples.readHead(ref, headBytes, signal);
    const kind = recogniseKind(bytes, ref.name);
    const hashes = await open.samples.hashes(ref, signal);
    out.say(`${kind.title}, ${ref.sizeBytes} bytes, sha256 ${hashes.sha256}.`);
    if (kind.nameMismatch !== undefined) out.say(kind.nameMismatch);
    return {
      file: visibleText(ref.name, 4096),
      path: visibleText(ref.path, 1000),
      file_type: kind.title,
      kind: kind.id,
      mime: kind.mime,
      name_mismatch: kind.nameMismatch ?? null,
      ...hashes,
      size_bytes: ref.sizeBytes,
      origins: open.samples.originsOf(hashes.sha256).map(({ how, parent, originalName, at }) => ({
        how: visibleText(how, 1000),
        parent,
        original_name: visibleText(originalName, 1000),
        at,
      })),
    };
  },
});
