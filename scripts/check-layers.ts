import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkHouse } from './layers/check.ts';
import { readHouse } from './layers/house.ts';

/** `node scripts/check-layers.ts [folder]`: fails with one line per broken rule of layers.json. */
const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
const { problems, files } = checkHouse(root, readHouse(join(root, 'layers.json')));
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`layers: ${files} files, ${problems.length} broken rules\n`);
process.exitCode = problems.length === 0 && files > 0 ? 0 : 1;
