import { linesOf, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';
import { pdfWords, wordFindings } from './pdf-words.ts';

const totals = ['Comment', 'XREF', 'Trailer', 'StartXref', 'Indirect object'] as const;

/** `--stats`: totals, then ` /Type count: objects`, then the same for words that make a document active. */
function parse(text: string): ParsedOutput {
  const counts = new Map<string, { count: number; line: string }>();
  const types: Record<string, number> = {};
  const sums: Record<string, number> = {};
  let isInKeywords = false;
  for (const line of linesOf(text, 5000)) {
    const sum = /^([A-Za-z ]{4,20}): (\d{1,9})$/.exec(line);
    const name = totals.find((total) => total === sum?.[1]);
    if (name !== undefined) sums[name.toLowerCase().replace(' ', '_')] = Number(sum?.[2]);
    if (line.startsWith('Search keywords')) isInKeywords = true;
    const [, word, count] = /^ (\/\S{1,60}) (\d{1,9}): /.exec(`${line} `) ?? [];
    if (word === undefined) continue;
    if (!isInKeywords && Object.keys(types).length < 200) types[word] = Number(count);
    const isCounted = isInKeywords || word === '/EmbeddedFile';
    if (isCounted && Object.hasOwn(pdfWords, word)) counts.set(word, { count: Number(count), line: line.trim() });
  }
  if (Object.keys(sums).length === 0)
    return { ...nothingParsed, notes: ['pdf-parser: no statistics were found in the output.'] };
  const keywords = Object.fromEntries([...counts].map(([word, { count }]) => [word, count]));
  return {
    facts: { ...sums, object_types: types, keywords },
    findings: wordFindings('pdf-parser', counts),
    texts: [],
    notes: [],
  };
}

export const pdfParserParser: ToolParser = { id: 'pdf-parser', parse };
