import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { loadSettings } from '../settings/index.ts';
import type { ToolHost } from './call-tool.ts';
import type { ToolDefinition } from './contract.ts';
import { defineTool } from './define-tool.ts';
import { openJobBoard } from './job-board.ts';

/** A host with a home of its own, for tests. */
export interface SampleHost {
  readonly host: ToolHost;
  readonly home: string;
  close(): Promise<void>;
}

export async function openSampleHost(more: Partial<ToolHost> = {}): Promise<SampleHost> {
  const root = mkdtempSync(join(tmpdir(), 'hotcell-tools-'));
  const home = join(root, 'home');
  const caller = { environment: {}, folder: root, homeFolder: root, userId: 1000 };
  const jobs = openJobBoard();
  const settings = await loadSettings({ home }, caller);
  return {
    host: { settings, folder: root, environment: {}, homeFolder: root, jobs, ...more },
    home,
    async close() {
      await jobs.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

type Handle = ToolDefinition['handle'];

export function sampleTool(handle: Handle, limits: Partial<ToolDefinition['limits']> = {}): ToolDefinition {
  return defineTool({
    name: 'sample',
    title: 'A sample',
    description: 'For tests.',
    toolset: 'analyze',
    input: z.strictObject({ word: z.string().max(10).default('x'), times: z.number().int().min(1).max(3).optional() }),
    output: z.strictObject({ said: z.string().max(100_000) }),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    limits: { timeoutMs: 60_000, outputBytes: 4096, ...limits },
    examples: [],
    handle: handle as never,
  });
}
