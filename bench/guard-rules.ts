import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMessageRules, readRuleTables } from '../src/instruments/guard/rules/index.ts';
import { lineOf, SampleGate } from '../src/instruments/guard/stream/sample-session.ts';
import { median } from './machine.ts';
import type { Result } from './result.ts';

/** What the rules cost for a result of one megabyte, against sending it through a pipe and reading it, turn about. */

const mebibyte = 1024 * 1024;
const rounds = 10;
const warmUps = 3;
/** With it a guarded result has 0.7 of the throughput of a direct one. */
const bar = 0.43;
const root = fileURLToPath(new URL('..', import.meta.url));

function filled(folder: string, ending: string): string {
  const files = readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(ending),
  );
  let text = '';
  for (const name of files.toSorted()) {
    if (text.length >= mebibyte) break;
    text += `${readFileSync(`${root}${folder}/${name}`, 'utf8')}\n\n`;
  }
  return text.repeat(Math.ceil(mebibyte / text.length)).slice(0, mebibyte);
}

const logLine = (at: number): string =>
  `2026-01-01T12:00:00.${at % 1000}Z INFO request ${at} from 10.0.0.${at % 256} GET /items/${at} 200 ${at % 97}ms`;

const inputs: Readonly<Record<string, () => string>> = {
  prose: () => filled('docs', '.md').replace(/[^\t\n -~]/g, ''),
  'prose with other characters': () => filled('docs', '.md'),
  code: () => filled('src', '.ts'),
  logs: () =>
    Array.from({ length: 16_000 }, (_, at) => logLine(at))
      .join('\n')
      .slice(0, mebibyte),
  base64: () => Buffer.from(filled('src', '.ts')).toString('base64').slice(0, mebibyte),
};

/** Bytes go out to a process that gives them back, and are read as JSON. */
async function pipeTimes(line: Buffer): Promise<() => Promise<number>> {
  const child = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] });
  const once = async (): Promise<number> => {
    const startedAt = performance.now();
    const parts: Buffer[] = [];
    let received = 0;
    await new Promise<void>((resolve) => {
      const take = (part: Buffer): void => {
        parts.push(part);
        received += part.length;
        if (received < line.length) return;
        child.stdout.off('data', take);
        resolve();
      };
      child.stdout.on('data', take);
      child.stdin.write(line);
    });
    JSON.parse(Buffer.concat(parts).toString('utf8'));
    return performance.now() - startedAt;
  };
  child.unref();
  return once;
}

async function measureOne(name: string, text: string): Promise<Result> {
  const tables = readRuleTables();
  const gates = { own: new SampleGate({ rules: createMessageRules({ tables }) }), bare: new SampleGate() };
  const times: Record<'own' | 'bare' | 'pipe', number[]> = { own: [], bare: [], pipe: [] };
  const message = { jsonrpc: '2.0', result: { content: [{ type: 'text', text }] } };
  const throughPipe = await pipeTimes(Buffer.from(`${JSON.stringify({ ...message, id: 1 })}\n`));
  for (let round = 1; round <= warmUps + rounds; round += 1) {
    for (const which of ['own', 'bare'] as const) {
      await gates[which].ask('tools/call', { name: 'say', arguments: {} });
      const line = lineOf({ ...message, id: round });
      const startedAt = performance.now();
      await gates[which].gate.take('to-client', line);
      if (round > warmUps) times[which].push(performance.now() - startedAt);
    }
    const pipeMs = await throughPipe();
    if (round > warmUps) times.pipe.push(pipeMs);
  }
  const [ownMs, bareMs, pipeMs] = [median(times.own), median(times.bare), median(times.pipe)];
  return {
    name: `rules: 1 MB of ${name}`,
    value: (ownMs - bareMs) / pipeMs,
    unit: 'x',
    ...(name === 'prose' ? { bar } : {}),
    detail: `${(ownMs - bareMs).toFixed(1)} ms against ${pipeMs.toFixed(1)} ms through a pipe, median of ${rounds}`,
  };
}

export async function measureRules(): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [name, make] of Object.entries(inputs)) results.push(await measureOne(name, make()));
  return results;
}
