import { text } from 'node:stream/consumers';
import { analyseTree } from './analyse.ts';
import type { AnalysisRequest } from './inspect.ts';

/** The process that does the work: one request in, one result out, and before every parse the name of the file. */
const { tree, limits, avoid }: AnalysisRequest = JSON.parse(await text(process.stdin));
const result = await analyseTree(tree, {
  limits,
  avoid,
  onParse: (path) => {
    process.stderr.write(`parse ${JSON.stringify(path)}\n`);
  },
});
process.stdout.write(JSON.stringify(result));
