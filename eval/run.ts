import { evaluateStatic } from './static.ts';

/** `npm run eval -- --static`: measures a part of the product against the corpus. */
const parts: Readonly<Record<string, () => Promise<void>>> = { '--static': evaluateStatic };

const [wanted = ''] = process.argv.slice(2);
const part = parts[wanted];
if (part === undefined) {
  process.stderr.write(`usage: npm run eval -- ${Object.keys(parts).join('|')}\n`);
  process.exitCode = 2;
} else await part();
