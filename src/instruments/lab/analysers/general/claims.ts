import type { Analyser, AnalyserInput, LabFinding } from '../../contract.ts';

/** What the name claims against what the content is. */

const opened = 'exe scr com pif bat cmd js jse vbs vbe wsf hta ps1 lnk msi jar dll cpl sh py iso one'.split(' ');
const shown = 'pdf doc docx xls xlsx ppt pptx rtf txt csv jpg jpeg png gif mp3 mp4 avi htm html zip rar odt eml'.split(
  ' ',
);
const direction = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/;
const manySpaces = / {12,}\.[a-z0-9]{1,4}$/i;

function nameFindings(name: string): readonly LabFinding[] {
  const text = name.slice(-200);
  const evidence = [{ where: 'file name', text }];
  const [last = '', before = ''] = text.toLowerCase().split('.').reverse();
  const found: LabFinding[] = [];
  const add = (rule: string, title: string, benign: string, technique: string): void => {
    found.push({ rule, title, severity: 'medium', evidenceType: 'structural', evidence, benign, attack: [technique] });
  };
  if (opened.includes(last.trim()) && shown.includes(before.trim())) {
    const benign =
      'Build and backup programs append endings; a program seldom has the ending of a document before its own.';
    add(
      'general.name.double-ending',
      'The name has the ending of a document before that of a program',
      benign,
      'T1036.007',
    );
  }
  if (direction.test(text)) {
    const benign = 'Names in scripts that run from right to left can hold such marks.';
    add('general.name.direction', 'The name holds marks that change the direction of writing', benign, 'T1036.002');
  }
  if (manySpaces.test(text)) {
    const benign = 'Names that were made from columns of a table can hold many spaces.';
    add('general.name.spaces', 'Many spaces push the ending of the name out of sight', benign, 'T1036.006');
  }
  return found;
}

function kindFindings({ kind }: AnalyserInput): readonly LabFinding[] {
  const found: LabFinding[] = [];
  if (kind.nameMismatch !== undefined) {
    found.push({
      rule: 'general.kind.mismatch',
      title: 'The name claims another kind of file than the content has',
      severity: 'low',
      evidenceType: 'structural',
      evidence: [{ where: 'file name', text: `claims ${kind.nameMismatch}, is ${kind.title}` }],
      benign: 'Files are renamed by mail filters and by people, and some programs save under a foreign ending.',
      attack: ['T1036.008'],
    });
  }
  if (kind.also !== undefined && kind.also.length > 0) {
    found.push({
      rule: 'general.kind.several',
      title: 'The same bytes are files of several kinds',
      severity: 'low',
      evidenceType: 'structural',
      evidence: [{ where: 'the whole file', text: [kind.id, ...kind.also].join(', ') }],
      benign: 'Self-extracting archives are a program with an archive behind it.',
      attack: ['T1036'],
    });
  }
  return found;
}

export const claims: Analyser = {
  id: 'claims',
  title: 'The name against the content',
  version: 1,
  kinds: 'any',
  depth: 'quick',
  timeoutMs: 5_000,
  analyse(input) {
    const { kind, name } = input;
    const facts = {
      kind: kind.id,
      title: kind.title,
      mime: kind.mime,
      name_claims: kind.nameMismatch ?? null,
      also: kind.also ?? [],
    };
    return { facts, findings: [...nameFindings(name), ...kindFindings(input)], texts: [], children: [], notes: [] };
  },
};
