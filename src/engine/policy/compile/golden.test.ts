import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tiers } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { compile, compileTargets } from './index.ts';
import { samplePlace } from './sample-place.ts';

/** `HOTCELL_UPDATE_GOLDEN=1` writes what the compilers say now; the difference is then read by a person. */
const isUpdating = process.env.HOTCELL_UPDATE_GOLDEN === '1';

const cases = tiers.flatMap((tier) => compileTargets.map((target) => [tier, target] as const));

describe('golden files', () => {
  it.each(cases)('%s for %s', (tier, target) => {
    const { text, gaps } = compile(tierPolicy(tier), target, samplePlace());
    const told = gaps.map(({ id, path, effect, what }) => `${effect} ${id} ${path}: ${what}`);
    const shown = `${text}\n# gaps: ${gaps.length}\n${told.map((line) => `# ${line}\n`).join('')}`;
    const path = new URL(`./golden/${tier.toLowerCase()}.${target}.txt`, import.meta.url);
    if (isUpdating) writeFileSync(path, shown);
    expect(shown).toBe(readFileSync(path, 'utf8'));
  });
});
