import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { analyseTree } from './analyse.ts';
import { defaultTaintLimits, type TaintLimits, type TaintResult } from './contract.ts';

/** A package written for a test: it is unpacked, looked at and thrown away. */
export async function inspectSample(
  files: Readonly<Record<string, string>>,
  limits: Partial<TaintLimits> = {},
): Promise<TaintResult> {
  const root = mkdtempSync(join(tmpdir(), 'hotcell-taint-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await analyseTree({ root, files: Object.keys(files) }, { limits: { ...defaultTaintLimits, ...limits } });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const imports = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { exec, execSync, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import fs from 'node:fs/promises';
import path from 'node:path';
import os from 'node:os';
import net from 'node:net';
const server = new McpServer({ name: 'sample', version: '1.0.0' });
`;

/** One module with the usual imports. */
export function sampleModule(body: string): Readonly<Record<string, string>> {
  return { 'index.js': `${imports}${body}` };
}

/** A server with one tool \`t\` whose one argument is \`x\`. */
export function sampleTool(body: string, before = '', schema = 'z.string()'): Readonly<Record<string, string>> {
  return sampleModule(
    `${before}\nserver.registerTool('t', { inputSchema: { x: ${schema} } }, async ({ x }) => { ${body} });`,
  );
}

/** Rules with their severity, each once and in order: what a test compares. */
export function told(result: TaintResult): string[] {
  return [
    ...new Set(result.findings.map((finding) => `${finding.severity} ${finding.rule.replace('taint/', '')}`)),
  ].sort();
}
