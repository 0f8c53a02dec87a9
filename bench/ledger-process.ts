import { closeSync, fdatasync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Ledger, type LedgerEntry, publicKeyText, verifyLedger } from '../src/engine/ledger/index.ts';

/** What the benchmark of the ledger runs in processes of their own: `serve` or `verify`. */

const synchronise = promisify(fdatasync);

export const sampleEntry: LedgerEntry = {
  instrument: 'guard',
  action: 'tool.call',
  verdict: 'allowed',
  session: 'b2a1c3d4',
  server: 'npm:some-server',
  policy: 'f'.repeat(64),
  rule: 'tools/allowed',
  details: { tool: 'read_file', bytes: 1204, arguments: `hmac-sha256:${'a'.repeat(64)}` },
};

/** As long as the line of the entry above. */
export const sampleBytes = Buffer.from(`${'x'.repeat(560)}\n`);

/** How often something durable can be done one after the other within this time. */
async function countFor(append: () => Promise<unknown>, ms: number): Promise<number> {
  let count = 0;
  for (const until = performance.now() + ms; performance.now() < until; count += 1) await append();
  return count;
}

/** Obeys lines such as `append 200` or `bare 200`, and answers each with a count. */
async function serve(folder: string): Promise<void> {
  const ledger = await Ledger.open({ folder: join(folder, 'processes') });
  const descriptor = openSync(join(folder, 'bare'), 'a');
  const bare = async (): Promise<void> => {
    writeSync(descriptor, sampleBytes);
    await synchronise(descriptor);
  };
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const [mode, ms] = line.split(' ');
    const count = await countFor(mode === 'append' ? () => ledger.append(sampleEntry) : bare, Number(ms));
    process.stdout.write(`${count}\n`);
  }
  closeSync(descriptor);
  await ledger.close();
}

async function verify(folder: string): Promise<void> {
  const startedAt = performance.now();
  const { isIntact, size } = await verifyLedger(folder, { publicKeys: [await publicKeyText(folder)] });
  const seconds = (performance.now() - startedAt) / 1000;
  const mebibytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`${JSON.stringify({ isIntact, size, seconds, mebibytes })}\n`);
}

if (import.meta.main) await (process.argv[2] === 'verify' ? verify : serve)(process.argv[3] ?? '');
