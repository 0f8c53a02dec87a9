import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { depthField, fileField } from './fields.ts';

const suggested = z.strictObject({
  name: z.string().max(64),
  invocation: z.string().max(2048),
  description: z.string().max(512),
  tier: z.string().max(16),
  tags: z.array(z.string().max(64)).max(32),
  output_format: z.string().max(16),
  available: z.boolean(),
  when_missing: z.string().max(1024).nullable(),
});

export const suggestTools = defineLabTool({
  name: 'suggest_tools',
  title: 'What to look at a sample with',
  description:
    'Tells what kind a sample is by its content, which analysers and tools look at that kind and how they are called, and what an analyst does step by step. Runs none of them.',
  input: z.strictObject({ file: fileField, depth: depthField }),
  data: z.strictObject({
    file: z.string().max(16_384),
    detected_type: z.string().max(512),
    matched_category: z.string().max(64),
    depth: z.string().max(16),
    own_analysers: z.array(z.string().max(512)).max(128),
    recommended_tools: z.array(suggested).max(256),
    analysis_hints: z.array(z.string().max(1024)).max(64),
    additional_tools: z.array(z.strictObject({ name: z.string().max(64), description: z.string().max(512) })).max(256),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 5 * minuteMs, outputBytes: 256 * kibibyte },
  examples: [{ input: { file: 'sample.docx' }, says: 'tools and steps for this kind of file' }],
  async handle({ file, depth }, { open, signal, out }) {
    const [{ additionalTools, playbookFor, toolsFor }, { recogniseKind }] = await Promise.all([
      import('../../../instruments/lab/catalogue/index.ts'),
      import('../../../instruments/lab/recognise/index.ts'),
    ]);
    const sample = await open.samples.read(file, signal);
    const kind = recogniseKind(sample.bytes, sample.name);
    const [programs, analysers] = await Promise.all([open.programs(), open.analysers.entries()]);
    const tools = toolsFor(open.catalogue, kind.id, depth);
    const own = analysers.filter(({ kinds }) => kinds === 'any' || kinds.includes(kind.id));
    const steps = playbookFor(kind.id);
    out.say(`${kind.title}: ${own.length} analysers of our own, ${tools.length} tools of the catalogue.`);
    for (const step of steps) out.say(`- ${step}`);
    return {
      file: visibleText(sample.name, 1000),
      detected_type: kind.title,
      matched_category: kind.id,
      depth,
      own_analysers: own.map(({ id, title }) => `${id}: ${title}`),
      recommended_tools: tools.map((tool) => ({
        name: tool.id,
        invocation: [tool.command, ...tool.argv].join(' '),
        description: tool.title,
        tier: tool.depth,
        tags: tool.tags.slice(0, 32),
        output_format: tool.outputFormat,
        available: programs.has(tool.command),
        when_missing: programs.has(tool.command) ? null : tool.whenMissing,
      })),
      analysis_hints: [...steps],
      additional_tools: additionalTools(open.catalogue, kind.id)
        .slice(0, 256)
        .map(({ name, description }) => ({ name, description })),
    };
  },
});
