import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { possibleVariables } from './possible-variables.ts';
import { sampleFacts } from './sample-facts.ts';

describe('variables that a target may want', () => {
  it('stand in its code and in its README, those that are read first', () => {
    const { folder } = sampleFacts({
      'README.md': 'Set DEMO_API_KEY and xNOT_THIS.',
      'dist/index.js': 'const a = process.env.DEMO, b = process.env.PATH, c = process.env.NODE_OPTIONS;',
      'pkg/server.py': 'os.getenv("PY_TOKEN"); os.environ["OTHER"]',
      'node_modules/x/index.js': 'process.env.OF_ANOTHER',
      'image.png': 'process.env.IN_AN_IMAGE',
    });
    const found = possibleVariables(folder);
    rmSync(folder, { recursive: true });
    expect([...found].sort()).toEqual(['DEMO', 'DEMO_API_KEY', 'OTHER', 'PY_TOKEN']);
    expect(found.at(-1)).toBe('DEMO_API_KEY');
  });

  it('are bounded, and none where there is no folder', () => {
    const many = Array.from({ length: 3000 }, (_, at) => `process.env.A_${at};`).join('\n');
    const { folder } = sampleFacts({ 'a.js': many });
    expect(possibleVariables(folder)).toHaveLength(600);
    rmSync(folder, { recursive: true });
    expect(possibleVariables(folder)).toEqual([]);
  });
});
