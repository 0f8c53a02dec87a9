import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { bytesCount, digest, fileField, short } from './fields.ts';

export const downloadFile = defineLabTool({
  name: 'download_file',
  title: 'Take a file out of the lab',
  description:
    'Copies a sample or an output to a folder of the machine that Hotcell runs on: inside a zip archive with the password infected, unless archive is false. Nothing there is written over.',
  input: z.strictObject({
    file_path: fileField,
    output_path: z
      .string()
      .min(1)
      .max(4096)
      .describe('a folder on the machine that Hotcell runs on; it has to be there'),
    archive: z.boolean().default(true).describe('false: the file as it is'),
    password: z.string().min(1).max(128).default('infected').describe('password of the archive'),
    cipher: z
      .enum(['aes-256', 'zipcrypto'])
      .default('aes-256')
      .describe('aes-256 needs 7-Zip or a newer unzip; zipcrypto is weak and opens everywhere'),
  }),
  data: z.strictObject({
    file_path: short,
    size_bytes: bytesCount,
    sha256: digest(64),
    host_path: short,
    archived: z.boolean(),
    archive_format: z.enum(['zip']).nullable(),
    archive_cipher: z.string().max(16).nullable(),
    archive_password: z.string().max(1024).nullable(),
    archive_sha256: digest(64).nullable(),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { timeoutMs: 15 * minuteMs, outputBytes: 64 * kibibyte },
  examples: [
    {
      input: { file_path: 'sample.exe', output_path: '/tmp' },
      says: 'as /tmp/sample.exe.zip with the password infected',
    },
  ],
  async handle({ file_path, output_path, archive, password, cipher }, { open, signal, out, record }) {
    const { takeFile } = await import('../../../instruments/lab/operations/take-file.ts');
    const taken = await takeFile(open, {
      file: file_path,
      hostFolder: output_path,
      isArchived: archive,
      password,
      cipher,
      signal,
    });
    await record({
      tool: 'download_file',
      what: 'take',
      action: 'sample.take',
      details: { sha256: taken.sha256, archived: archive },
      secrets: { path: taken.hostPath },
    });
    out.say(
      archive
        ? `It is in an archive (${taken.cipher}) whose password is the one asked for.`
        : 'It lies on the host as it is: whoever opens it opens the sample.',
    );
    return {
      file_path: visibleText(file_path, 1000),
      size_bytes: taken.sizeBytes,
      sha256: taken.sha256,
      host_path: visibleText(taken.hostPath, 1000),
      archived: archive,
      archive_format: archive ? ('zip' as const) : null,
      archive_cipher: taken.cipher,
      archive_password: archive ? visibleText(password, 256) : null,
      archive_sha256: taken.archiveSha256,
    };
  },
});
