import { Ledger } from '../../src/engine/ledger/index.ts';

/** Appends one entry after the other and says of each, on stdout, how it went; told to fail by whoever traces it. */

const [folder = '', session = '', count = '0', quickSyncMs = '0'] = process.argv.slice(2);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const ledger = await Ledger.open({
    folder,
    checkpointEvery: 3,
    segmentBytes: 2048,
    quickSyncMs: Number(quickSyncMs),
    onProblem: () => undefined,
  });
  say('open');
  for (let number = 0; number < Number(count); number += 1) {
    try {
      const details = { number };
      const { sequence, leaf } = await ledger.append({
        instrument: 'guard',
        action: 'tool.call',
        verdict: 'allowed',
        session,
        details,
      });
      say(`acknowledged ${number} ${sequence} ${leaf}`);
    } catch {
      say(`failed ${number}`);
    }
  }
  await ledger.close();
  say('closed');
} catch {
  say('broken');
  process.exitCode = 1;
}
