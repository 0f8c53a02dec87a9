import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultTaintLimits, type TaintLimits } from './contract.ts';
import { inspectTaint } from './inspect.ts';
import { sampleTool } from './sample-tree.ts';

async function inspectFiles(files: Readonly<Record<string, string>>, limits: Partial<TaintLimits> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'hotcell-taint-'));
  try {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    return await inspectTaint({ root, files: Object.keys(files) }, { ...defaultTaintLimits, ...limits });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const vulnerable = sampleTool('exec(`ls ${x}`);');
const deep = (open: string, close: string) =>
  `server.tool('t', {}, async (args) => exec(${open.repeat(40_000)}args.x${close.repeat(40_000)}));`;

describe('the analysis in a process of its own', () => {
  it('gives the result', async () => {
    const result = await inspectFiles(vulnerable);
    expect(result.findings.map((finding) => finding.rule)).toEqual(['taint/command-injection']);
    expect(result.notAnalysed).toEqual([]);
  });

  it.each([
    ['brackets', deep('[', ']')],
    ['templates', deep('`${', '}`')],
    ['functions', deep('a => ', '')],
    ['choices', deep('a ? b : ', '')],
    ['a long sum', deep('args.x + ', '')],
  ])('survives %s that are nested too deep, and analyses the rest', async (_name, text) => {
    const result = await inspectFiles({ ...vulnerable, 'deep.js': text });
    expect(result.findings.map((finding) => finding.locations.at(-1)?.path)).toContain('index.js');
    const isTold = result.notAnalysed.length > 0;
    const isFound = result.findings.some((finding) => finding.locations.at(-1)?.path === 'deep.js');
    expect(isTold || isFound).toBe(true);
  });
});
