import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measureAnalyze } from './analyze.ts';
import { measureCompile } from './compile.ts';
import { measureCrowd } from './crowd.ts';
import { measureGuard } from './guard.ts';
import { measureRules } from './guard-rules.ts';
import { measureIndicators } from './indicators.ts';
import { measureInternet } from './internet.ts';
import { measureLab } from './lab.ts';
import { measureLedger } from './ledger.ts';
import { describeMachine } from './machine.ts';
import { measureMcp } from './mcp.ts';
import { measureProbe } from './probe.ts';
import { measureRecognise } from './recognise.ts';
import { isMet, type Result, showResult } from './result.ts';
import { measureScan } from './scan.ts';
import { measureStart } from './start.ts';
import { measureWatch } from './watch.ts';

/**
 * npm run bench [-- start crowd compile recognise watch internet scan mcp analyze ledger guard rules indicators lab probe]
 *
 * Prints ratios taken within this one run, and appends them with date and machine to bench/results.ndjson.
 */

const suites: Readonly<
  Record<string, (options: { runtimeFolder: string }) => Promise<readonly Result[]> | readonly Result[]>
> = {
  compile: measureCompile,
  start: measureStart,
  crowd: measureCrowd,
  recognise: measureRecognise,
  watch: measureWatch,
  internet: measureInternet,
  scan: measureScan,
  mcp: measureMcp,
  analyze: measureAnalyze,
  ledger: measureLedger,
  guard: measureGuard,
  rules: measureRules,
  indicators: measureIndicators,
  lab: measureLab,
  probe: measureProbe,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(suites, name));
if (unknown.length > 0) {
  console.error(`bench: no suite called ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}`);
  process.exit(2);
}

const machine = describeMachine();
console.log(
  `${machine.processor}, ${machine.cores} cores, ${machine.architecture}, Linux ${machine.kernel}, node ${machine.node}\n`,
);
const runtimeFolder = mkdtempSync('/tmp/hotcell-bench-');
// Users of boxes have to pass through it.
chmodSync(runtimeFolder, 0o711);
const results: Result[] = [];
try {
  for (const [name, measure] of Object.entries(suites)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const measured = await measure({ runtimeFolder });
    for (const result of measured) console.log(showResult(result));
    results.push(...measured);
  }
} finally {
  rmSync(runtimeFolder, { recursive: true, force: true });
}
const line = {
  date: new Date().toISOString(),
  machine,
  results: results.map((result) => ({ ...result, isMet: isMet(result) })),
};
appendFileSync(fileURLToPath(new URL('results.ndjson', import.meta.url)), `${JSON.stringify(line)}\n`);
const missed = results.filter((result) => !isMet(result));
console.log(
  `\n${results.length} figures, ${missed.length} bars missed${missed.length > 0 ? `: ${missed.map(({ name }) => name).join(', ')}` : ''}`,
);
