import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { bytesCount, digest, short } from './fields.ts';

export const uploadFromHost = defineLabTool({
  name: 'upload_from_host',
  title: 'Bring a file of the host into the lab',
  description:
    'Copies one plain file of the machine that Hotcell runs on into the samples folder, read-only, and checks its hash there. At most 200 MiB. Links are not followed.',
  input: z.strictObject({
    host_path: z.string().min(1).max(4096).describe('absolute path on the machine that Hotcell runs on'),
    filename: z.string().min(1).max(255).optional().describe('name in the samples folder; default: the same'),
    overwrite: z.boolean().default(false).describe('replace a sample of that name'),
  }),
  data: z.strictObject({ path: short, size_bytes: bytesCount, sha256: digest(64) }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  limits: { timeoutMs: 15 * minuteMs, outputBytes: 64 * kibibyte },
  examples: [{ input: { host_path: '/tmp/sample.exe' }, says: 'copy it into the samples folder' }],
  async handle({ host_path, filename, overwrite }, { open, signal, out, record }) {
    const { bringFile } = await import('../../../instruments/lab/operations/bring-file.ts');
    const added = await bringFile(open, {
      hostPath: host_path,
      isOverwriteAllowed: overwrite,
      signal,
      ...(filename === undefined ? {} : { name: filename }),
    });
    await record({
      tool: 'upload_from_host',
      what: 'bring',
      action: 'sample.add',
      details: { sha256: added.sha256, bytes: added.sizeBytes },
      secrets: { path: host_path },
    });
    out.say(`${added.sizeBytes} bytes, sha256 ${added.sha256}, are now a sample.`);
    return { path: visibleText(added.path, 1000), size_bytes: added.sizeBytes, sha256: added.sha256 };
  },
});
