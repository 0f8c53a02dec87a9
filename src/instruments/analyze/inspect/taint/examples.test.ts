import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../../base/finding-schema.ts';
import { taintExamples } from './rules.ts';
import { inspectSample } from './sample-tree.ts';

describe('examples of the rules', () => {
  it.each(Object.entries(taintExamples))('%s fires and is silent', async (rule, { fires, silent }) => {
    const loud = await inspectSample({ 'index.js': fires });
    expect(loud.findings.map((finding) => finding.rule)).toContain(rule);
    for (const finding of loud.findings) expect(findingSchema.parse(finding)).toEqual(finding);
    const quiet = await inspectSample({ 'index.js': silent });
    expect(quiet.handlers).toHaveLength(1);
    expect(quiet.findings).toEqual([]);
  });
});
