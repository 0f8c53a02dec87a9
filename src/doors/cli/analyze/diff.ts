import { exitCodes } from '../../../base/errors.ts';
import { compareRuns } from '../../../instruments/analyze/difference/index.ts';
import { loadRun } from '../../tools/runs/load-run.ts';
import type { Door } from '../definition.ts';
import { formatJson } from '../terminal/index.ts';
import { renderDifference } from './diff-lines.ts';

export async function runDiffCommand(
  { json }: { readonly json: boolean },
  words: readonly string[],
  door: Door,
): Promise<number> {
  const { stdout, terminal } = door;
  const [before = '', after = ''] = words;
  const [first, second] = [await loadRun(before, door), await loadRun(after, door)];
  const difference = compareRuns(first.report, second.report);
  stdout.write(json ? formatJson(difference) : renderDifference(difference, terminal));
  return difference.isWorse ? exitCodes.findings : exitCodes.clean;
}
