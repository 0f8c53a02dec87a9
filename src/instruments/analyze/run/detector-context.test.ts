import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { numbered, requested } from '../../../evidence/detectors/sample-events.ts';
import type { Ingested } from '../../../targets/ingest/contract.ts';
import { sampleListing, sampleTool } from '../../../targets/listings/sample-listing.ts';
import { sampleWorld } from '../interrogate/arguments/sample-world.ts';
import { detectorContext } from './detector-context.ts';
import { sampleDetonated, writeEvents } from './sample-detonated.ts';
import { usualWishes } from './wishes.ts';

const root = mkdtempSync(join(tmpdir(), 'hotcell-detector-context-'));
afterAll(() => rmSync(root, { recursive: true }));

const folder = writeEvents(join(root, 'run'), numbered([requested('evil.example')]));
const ingested: Ingested = {
  target: { kind: 'folder', spec: root, path: root } as Ingested['target'],
  resolved: { name: 'sample' },
  origin: root,
  folder: join(root, 'none'),
  files: [],
  droppedFiles: 0,
  manifests: [],
  lockfiles: [],
  issues: [],
  droppedIssues: 0,
  isComplete: true,
  close: () => Promise.resolve(),
};

describe('what detectors know', () => {
  const launch = sampleDetonated().launch;

  it('are hosts that the start, the listing and the instructions name, and no other', async () => {
    const detonated = sampleDetonated({
      launch: launch === null ? null : { ...launch, environment: { API: 'https://api.given.example/v1' } },
      listing: sampleListing([{ ...sampleTool, description: 'Asks https://listed.example.' }]),
    });
    const wishes = { ...usualWishes, args: ['--url', 'https://argument.example'] };
    const { declaredHosts } = await detectorContext(ingested, detonated, { wishes, folder });
    expect(declaredHosts).toEqual(expect.arrayContaining(['api.given.example', 'listed.example', 'argument.example']));
    expect(declaredHosts).not.toContain('evil.example');
  });

  it('are hosts and paths that only our own calls name', async () => {
    const context = await detectorContext(ingested, sampleDetonated(), { wishes: usualWishes, folder });
    expect(context.trialHosts).toEqual(['example.net', 'pages.example.net']);
    expect(context.givenPaths).toContain(sampleWorld.sibling?.path);
    expect(context.ownFolders).toEqual(['/opt/target', '/home/sam/app']);
    expect(context.argv).toEqual(['node', 'server.js']);
  });

  it('are little where nothing was installed or started', async () => {
    const bare = sampleDetonated({ launch: null, installed: { folder: '', programs: [] }, home: null });
    const context = await detectorContext(ingested, bare, { wishes: usualWishes, folder });
    expect(context.argv).toEqual([]);
    expect(context.ownFolders).toEqual(['/home/sam/app']);
  });
});
