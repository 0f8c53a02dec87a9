import { linesOf, listed, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';
import { wordFindings } from './pdf-words.ts';

/** ` /JS                    1(1)`: the number in brackets counts spellings with hex codes. */
const row = /^ {1,4}(\S{1,40}) +(\d{1,9})(?:\((\d{1,9})\))?\s*$/;

function parse(text: string): ParsedOutput {
  const lines = linesOf(text, 5000);
  if (lines.some((line) => /^ Not a PDF document/.test(line))) {
    return { ...nothingParsed, facts: { is_pdf: false } };
  }
  const counts = new Map<string, { count: number; line: string }>();
  const hidden: string[] = [];
  for (const line of lines) {
    const [, word, count, spelled] = row.exec(line) ?? [];
    if (word === undefined || counts.size >= 200) continue;
    counts.set(word, { count: Number(count), line: line.trim() });
    if (Number(spelled ?? 0) > 0) hidden.push(word);
  }
  if (counts.size === 0) return { ...nothingParsed, notes: ['pdfid: no counts were found in the output.'] };
  const header =
    lines
      .find((line) => line.startsWith(' PDF Header:'))
      ?.slice(12)
      .trim()
      .slice(0, 40) ?? null;
  const findings = wordFindings('pdfid', counts);
  if (hidden.length > 0) {
    findings.push({
      rule: 'pdfid.hidden-names',
      title: 'Names in the PDF are spelled with hex codes',
      severity: 'medium',
      evidenceType: 'structural',
      evidence: hidden.slice(0, 10).map((word) => ({ where: 'pdfid', text: counts.get(word)?.line ?? word })),
      benign: 'Names with spaces or brackets have to be spelled so; the usual names never do.',
      attack: ['T1027'],
    });
  }
  const facts = {
    is_pdf: true,
    header,
    counts: Object.fromEntries([...counts].map(([word, { count }]) => [word, count])),
    hidden_names: listed(hidden),
  };
  return { facts, findings, texts: [], notes: [] };
}

export const pdfidParser: ToolParser = { id: 'pdfid', parse };
