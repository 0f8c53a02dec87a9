import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { numbered, opened } from '../../../evidence/detectors/sample-events.ts';
import { sampleWorld } from '../interrogate/arguments/sample-world.ts';
import { sampleDetonated, writeEvents } from './sample-detonated.ts';
import { tellStoryOf } from './story.ts';

const root = mkdtempSync(join(tmpdir(), 'hotcell-story-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('the story of a run', () => {
  it('leaves out what was planted while it was installed, and nothing else', async () => {
    const [decoy] = sampleDetonated().home?.files ?? [];
    const folder = writeEvents(
      join(root, 'run'),
      numbered([
        opened(`${sampleWorld.root}/notes.txt`, 'write', { phase: 'install' }),
        opened(`${sampleWorld.root}_outside/x`, 'write', { phase: 'install' }),
        opened('/opt/target/package.json', 'read', { phase: 'install' }),
        opened(`${sampleWorld.root}/notes.txt`, 'read', { phase: 'use' }),
        opened(`/home/sam/${decoy?.path}`, 'read', { phase: 'use' }),
      ]),
    );
    const context = { ownFolders: ['/opt/target'], declaredHosts: [] };
    const { files } = await tellStoryOf(sampleDetonated(), folder, context);
    const told = files.map(({ path, phase, is }) => [phase, 'text' in path ? path.text : '', is]);
    expect(told).toHaveLength(4);
    expect(told).not.toContainEqual(['install', `${sampleWorld.root}/notes.txt`, 'other']);
    expect(told).toEqual(
      expect.arrayContaining([
        ['install', `${sampleWorld.root}_outside/x`, 'other'],
        ['install', '/opt/target/package.json', 'own'],
        ['use', `${sampleWorld.root}/notes.txt`, 'other'],
        ['use', `/home/sam/${decoy?.path}`, 'decoy'],
      ]),
    );
  });
});
