import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sampleWorld } from '../arguments/sample-world.ts';
import type { FailedStart, Launch, LaunchFacts } from './contract.ts';

/** Targets made for tests: a folder with the given files, and what would be known of it. */
export function sampleFacts(files: Readonly<Record<string, string>>, changes: Partial<LaunchFacts> = {}): LaunchFacts {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-start-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return {
    folder,
    ecosystem: 'npm',
    name: 'demo-mcp',
    installed: { folder: '/home/maria/app/node_modules/demo-mcp', programs: [] },
    world: sampleWorld,
    given: { environment: {}, args: [], props: [] },
    bait: (name) => `bait:${name}`,
    ...changes,
  };
}

export function sampleFailure(launch: Launch, changes: Partial<FailedStart> = {}): FailedStart {
  return {
    launch,
    is: 'exited',
    code: 1,
    signal: null,
    stderrTail: '',
    stdoutTail: '',
    listens: [],
    ...changes,
  };
}

export const config = (entry: object): string =>
  `# Demo\n\n\`\`\`json\n${JSON.stringify({ mcpServers: { demo: entry } }, null, 2)}\n\`\`\`\n`;
