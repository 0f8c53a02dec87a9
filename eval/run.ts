import { evaluateDynamic } from './dynamic.ts';
import { evaluateStatic } from './static.ts';

/** `npm run eval`: measures the product against the corpus, and with `--static` only what is known without running it. */
const parts: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  '--dynamic': evaluateDynamic,
  '--static': evaluateStatic,
};

const [wanted = '--dynamic', ...words] = process.argv.slice(2);
const part = parts[wanted];
if (part === undefined) {
  process.stderr.write(`usage: npm run eval [-- ${Object.keys(parts).join('|')} [ID...] [--bwrap|--gvisor]]\n`);
  process.exitCode = 2;
} else await part(words);
