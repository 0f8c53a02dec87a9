import type { LabFinding } from '../../contract.ts';
import { evidenceOf } from './contract.ts';

interface PdfWord {
  readonly meaning: string;
  readonly severity: LabFinding['severity'];
  readonly benign: string;
  readonly attack?: readonly string[];
}

const script: PdfWord = {
  meaning: 'JavaScript',
  severity: 'high',
  benign: 'Forms check and compute their fields with JavaScript.',
  attack: ['T1059.007'],
};

/** The words that make a PDF do something. */
export const pdfWords: Readonly<Record<string, PdfWord>> = {
  '/JS': script,
  '/JavaScript': script,
  '/AA': { meaning: 'actions on events', severity: 'medium', benign: 'Forms react to their fields this way.' },
  '/OpenAction': {
    meaning: 'an action on opening',
    severity: 'medium',
    benign: 'Often only the page and zoom to begin with.',
  },
  '/AcroForm': { meaning: 'a form', severity: 'medium', benign: 'Every form that can be filled in has it.' },
  '/JBIG2Decode': { meaning: 'JBIG2 pictures', severity: 'medium', benign: 'Scanners compress pages this way.' },
  '/RichMedia': { meaning: 'embedded media', severity: 'medium', benign: 'Presentations embed films and sound.' },
  '/Launch': {
    meaning: 'an action that starts a program',
    severity: 'medium',
    benign: 'Old documents open other documents this way.',
    attack: ['T1204.002'],
  },
  '/EmbeddedFile': {
    meaning: 'an attached file',
    severity: 'medium',
    benign: 'Invoices carry their data as an attachment.',
  },
  '/XFA': { meaning: 'an XML form', severity: 'medium', benign: 'Forms of authorities use it.' },
  '/URI': { meaning: 'links', severity: 'medium', benign: 'Nearly every document has links.' },
};

export function wordFindings(tool: string, counts: ReadonlyMap<string, { count: number; line: string }>): LabFinding[] {
  return Object.entries(pdfWords).flatMap(([word, { meaning, ...told }]): LabFinding[] => {
    const seen = counts.get(word);
    if (seen === undefined || seen.count === 0) return [];
    return [
      {
        rule: `${tool}.${word.slice(1).toLowerCase()}`,
        title: `The PDF names ${meaning} (${word}, ${seen.count} times)`,
        evidenceType: 'structural',
        evidence: evidenceOf(tool, [seen.line]),
        ...told,
      },
    ];
  });
}
