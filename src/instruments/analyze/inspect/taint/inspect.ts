import { fileURLToPath } from 'node:url';
import { besideModule } from '../../../../base/beside.ts';
import { HostError } from '../../../../base/errors.ts';
import { mebibyte, secondMs } from '../../../../base/limits.ts';
import { runTool } from '../../../../base/process.ts';
import { defaultTaintLimits, type SourceTree, type TaintLimits, type TaintResult } from './contract.ts';
import { notAnalysedResult } from './not-analysed.ts';

/** What the process that does the work is given, as JSON on its standard input. */
export interface AnalysisRequest {
  readonly tree: SourceTree;
  readonly limits: TaintLimits;
  readonly avoid: readonly string[];
}

const heapMebibytes = 900;
const mostAttempts = 4;
const graceMs = 15 * secondMs;
const largestResultBytes = 128 * mebibyte;

function workerFile(): string {
  return fileURLToPath(besideModule(import.meta.url, 'worker'));
}

/**
 * Flows from the arguments of MCP tools, resources and prompts to functions that act on them.
 *
 * It runs in a process of its own: the parser is native code, and nesting of some ten thousand levels ends the process
 * that it runs in. A file that does so is left out and told, and the rest is analysed.
 */
export async function inspectTaint(tree: SourceTree, limits: TaintLimits = defaultTaintLimits): Promise<TaintResult> {
  const avoid: string[] = [];
  const args = ['--no-warnings', `--max-old-space-size=${heapMebibytes}`, '--stack-size=3000', workerFile()];
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const request: AnalysisRequest = { tree, limits, avoid };
    const result = await runTool(process.execPath, args, {
      input: JSON.stringify(request),
      timeoutMs: Math.max(0, limits.totalMs) + graceMs,
      maxOutputBytes: largestResultBytes,
    });
    if (result.code === 0) return readResult(result.stdout);
    if (result.hasTimedOut) return notAnalysedResult(tree, 'The analysis of flows did not end in time');
    const culprit = lastParsed(result.stderr);
    const isNew = culprit !== undefined && tree.files.includes(culprit) && !avoid.includes(culprit);
    if (!isNew || result.signal === null) break;
    avoid.push(culprit);
  }
  return notAnalysedResult(tree, 'The analysis of flows ended before its time');
}

function lastParsed(stderr: Buffer): string | undefined {
  const lines = stderr
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('parse '));
  const line = lines.at(-1);
  return line === undefined ? undefined : (JSON.parse(line.slice('parse '.length)) as string);
}

function readResult(stdout: Buffer): TaintResult {
  try {
    return JSON.parse(stdout.toString('utf8')) as TaintResult;
  } catch (cause) {
    throw new HostError('the analysis of flows gave an answer that is no JSON', { cause });
  }
}
