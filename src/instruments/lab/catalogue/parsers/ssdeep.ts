import { linesOf, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';

function parse(text: string): ParsedOutput {
  const hash = linesOf(text, 100)
    .map((line) => /^(\d{1,12}:[A-Za-z0-9+/]{0,64}:[A-Za-z0-9+/]{0,64}),"/.exec(line)?.[1])
    .find((found) => found !== undefined);
  if (hash === undefined) return { ...nothingParsed, notes: ['ssdeep: no hash was found in the output.'] };
  return { ...nothingParsed, facts: { ssdeep: hash } };
}

export const ssdeepParser: ToolParser = { id: 'ssdeep', parse };
