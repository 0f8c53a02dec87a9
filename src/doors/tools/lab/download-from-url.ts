import { z } from 'zod';
import { kibibyte, minuteMs, secondMs } from '../../../base/limits.ts';
import { visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { bytesCount, digest, short, untrustedText } from './fields.ts';

export const downloadFromUrl = defineLabTool({
  name: 'download_from_url',
  title: 'Fetch a sample from the internet',
  description:
    'Fetches one file over http or https, as it is served, into the samples folder. Private, loopback, link-local and metadata addresses are refused after every resolution and on every redirect, unless the lab was started with them allowed. Whoever runs that server sees that it was fetched.',
  input: z.strictObject({
    url: z.string().min(8).max(8192).describe('http:// or https://'),
    filename: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('name in the samples folder; default: what the server suggests'),
    headers: z
      .array(z.string().min(3).max(4096))
      .max(32)
      .default([])
      .describe('further headers, each as "Name: value"'),
    overwrite: z.boolean().default(false).describe('replace a sample of that name'),
    ignore_certificate: z.boolean().default(false).describe('take any certificate; the answer says so'),
    timeout: z.number().min(1).max(3600).default(300).describe('seconds for everything'),
  }),
  data: z.strictObject({
    url: untrustedText(40_000),
    final_url: untrustedText(40_000),
    address: z.string().max(64),
    status: z.number().int().min(100).max(599),
    redirects: z.array(untrustedText(40_000)).max(16),
    headers: z.record(z.string().max(128), untrustedText(16_384)),
    file: short,
    file_type: short,
    kind: z.string().max(32),
    sha256: digest(64),
    sha1: digest(40),
    md5: digest(32),
    size_bytes: bytesCount,
    certificate_ignored: z.boolean(),
    notes: z.array(z.string().max(4096)).max(64),
  }),
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  limits: { timeoutMs: 61 * minuteMs, outputBytes: 512 * kibibyte },
  examples: [{ input: { url: 'https://example.com/a.bin', filename: 'a.bin' }, says: 'fetch it as a.bin' }],
  async handle(input, { open, signal, out, record }) {
    const [{ fetchFile }, { recogniseKind }] = await Promise.all([
      import('../../../instruments/lab/operations/fetch-file.ts'),
      import('../../../instruments/lab/recognise/index.ts'),
    ]);
    await record({
      tool: 'download_from_url',
      what: 'fetch',
      action: 'sample.fetch',
      details: { ignoresCertificate: input.ignore_certificate },
      secrets: { url: input.url },
    });
    const { fetched, added } = await fetchFile(open, {
      url: input.url,
      headers: input.headers,
      isOverwriteAllowed: input.overwrite,
      isCertificateIgnored: input.ignore_certificate,
      timeoutMs: input.timeout * secondMs,
      signal,
      ...(input.filename === undefined ? {} : { name: input.filename }),
    });
    const { bytes, name } = await open.samples.read(added.path, signal);
    const kind = recogniseKind(bytes, name);
    out.say(`${fetched.sizeBytes} bytes came from ${fetched.address}: ${kind.title}, sha256 ${fetched.sha256}.`);
    return {
      url: visibleText(input.url, 8192),
      final_url: visibleText(fetched.finalUrl, 8192),
      address: fetched.address,
      status: fetched.status,
      redirects: fetched.redirects.slice(0, 16).map(({ url }) => visibleText(url, 8192)),
      headers: Object.fromEntries(
        Object.entries(fetched.headers).map(([key, value]) => [key.slice(0, 128), visibleText(value, 2000)]),
      ),
      file: visibleText(added.path, 1000),
      file_type: kind.title,
      kind: kind.id,
      sha256: fetched.sha256,
      sha1: fetched.sha1,
      md5: fetched.md5,
      size_bytes: fetched.sizeBytes,
      certificate_ignored: fetched.isCertificateIgnored,
      notes: fetched.notes.slice(0, 64).map((note) => visibleText(note, 1000)),
    };
  },
});
