import { kibibyte } from '../../../base/limits.ts';
import type { ScanResult } from '../../../instruments/probe/contract.ts';

/** A result that fits an answer: findings beyond it are in the file of the scan, and a note says so. */

const mostBytes = 200 * kibibyte;

export function fitResult(result: ScanResult, most = mostBytes): ScanResult {
  if (Buffer.byteLength(JSON.stringify(result)) <= most) return result;
  const room = Math.max(0, most - Buffer.byteLength(JSON.stringify({ ...result, findings: [] })));
  let used = 0;
  const fitting = result.findings.findIndex((finding) => {
    used += Buffer.byteLength(JSON.stringify(finding)) + 1;
    return used > room;
  });
  const findings = fitting === -1 ? result.findings : result.findings.slice(0, fitting);
  const left = result.findings.length - findings.length;
  const note = `${left} findings more are kept: hotcell probe report ${result.id}`;
  return { ...result, findings, notes: [note, ...result.notes].slice(0, 200) };
}
