import { fileURLToPath } from 'node:url';
import { besideModule } from '../../../../base/beside.ts';
import { mebibyte, minuteMs } from '../../../../base/limits.ts';
import { runTool } from '../../../../base/process.ts';
import type { Inspected, Inspection } from '../contract.ts';
import { makeFinding } from '../rule.ts';
import type { CapabilityReport } from './contract.ts';
import { capabilityRules } from './rules.ts';

const heapMebibytes = 900;
const largestResultBytes = 64 * mebibyte;

function workerFile(): string {
  return fileURLToPath(besideModule(import.meta.url, 'apart-main'));
}

/**
 * The same in a process of its own, whose end is only a thing that is not known: the parser is native code, and a target
 * that finds a way to crash it must not end Hotcell.
 */
export async function inspectCapabilitiesApart(inspected: Inspected): Promise<Inspection<CapabilityReport>> {
  const args = ['--no-warnings', `--max-old-space-size=${heapMebibytes}`, '--stack-size=3000', workerFile()];
  const { code, stdout } = await runTool(process.execPath, args, {
    input: JSON.stringify(inspected),
    timeoutMs: minuteMs,
    maxOutputBytes: largestResultBytes,
  });
  if (code === 0) return JSON.parse(stdout.toString('utf8')) as Inspection<CapabilityReport>;
  const problem = 'the code could not be read for what it can reach';
  return {
    findings: [makeFinding(capabilityRules.notAnalysed, { identity: ['process'], title: problem, evidenceClass: 'U' })],
    issues: [{ path: '.', problem }],
    data: { capabilities: [], tools: [], analysedFiles: 0 },
  };
}
