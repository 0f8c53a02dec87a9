import { writeFileSync } from 'node:fs';
import { startVitest } from 'vitest/node';
import { createCollector } from './collect.ts';

/** `node run-vitest.ts SUMMARY-FILE ROOT [filter…]`: runs the tests and writes what they came to into the file. */
const [summaryFile = '', root = '', ...filters] = process.argv.slice(2);
const collector = createCollector((summary) => writeFileSync(summaryFile, JSON.stringify(summary)));
const vitest = await startVitest(filters, { root, watch: false, reporters: ['default', collector] });
await vitest.close();
// A handle that a test forgot must not keep the result from being reported.
process.exit();
