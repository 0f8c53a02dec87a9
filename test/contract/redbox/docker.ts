import { existsSync } from 'node:fs';
import { type RunOptions, type RunResult, runTool } from '../../../src/base/process.ts';
import { hasDockerEngine, startDockerEngine } from '../escape/host/docker-engine.ts';

/** The program docker, speaking with an engine that belongs to the test alone. */
export interface Docker {
  readonly command: string;
  /** What comes before every command. */
  readonly start: readonly string[];
  /** Its stdout; anything but exit 0 is an error. */
  run(args: readonly string[], options?: RunOptions): Promise<string>;
  /** However it ends. */
  try(args: readonly string[], options?: RunOptions): Promise<RunResult>;
  close(): Promise<void>;
}

const programs = ['/usr/bin/docker', '/usr/local/bin/docker'];
const longestMs = 100_000;

export function whyNoDocker(): string | null {
  if (process.getuid?.() !== 0) return 'only root can start an engine';
  if (!hasDockerEngine()) return 'there is no dockerd here';
  return programs.some(existsSync) ? null : 'there is no program docker here';
}

export async function openDocker(): Promise<Docker> {
  const command = programs.find(existsSync) ?? 'docker';
  const engine = await startDockerEngine();
  const start = ['--host', `unix://${engine.socket}`];
  const attempt: Docker['try'] = (args, options = {}) =>
    runTool(command, [...start, ...args], { timeoutMs: longestMs, ...options });
  return {
    command,
    start,
    try: attempt,
    async run(args, options) {
      const { code, stdout, stderr } = await attempt(args, options);
      if (code === 0) return stdout.toString();
      throw new Error(`docker ${args.slice(0, 2).join(' ')} ended with ${code}: ${stderr.subarray(-2000).toString()}`);
    },
    close: () => engine.close(),
  };
}
