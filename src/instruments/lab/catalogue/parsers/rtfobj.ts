import type { LabFinding } from '../../contract.ts';
import { evidenceOf, linesOf, listed, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';
import { readTable } from './table.ts';

interface RtfObject {
  readonly id: number;
  readonly offset: string;
  readonly class_name: string | null;
  readonly size: number | null;
  readonly description: string;
  /** All that the tool says about it. */
  readonly said: string;
}

/** The class is printed as Python shows bytes, quotes within escaped: taken from its line, before rows are joined. */
function classOf(text: string): string | null {
  return (
    /class name: b?(?:'([^']{0,80})'|"([^"]{0,80})")/
      .exec(text)
      ?.slice(1)
      .find((name) => name !== undefined) ?? null
  );
}

const exploit = /Possibly an exploit for the |Known Related to CVE-/;
const equation = /^Equation\.[23]$/i;

function parse(text: string): ParsedOutput {
  const lines = linesOf(text, 20_000);
  const at = lines.findIndex((line) => /^id\s*\|index\s*\|OLE Object/.test(line));
  if (at === -1) {
    const isEmpty = lines.some((line) => /^No OLE object was found/i.test(line.trim()));
    return isEmpty
      ? { ...nothingParsed, facts: { object_count: 0, objects: [] } }
      : { ...nothingParsed, notes: ['rtfobj: no table of objects was found in the output.'] };
  }
  const objects = readTable(lines.slice(at + 1), { columns: 3, isRuled: false, most: 500 }).flatMap(
    ([id = '', offset = '', description = '']): RtfObject[] => {
      if (!/^\d{1,6}$/.test(id)) return [];
      const size = /data size: (\d{1,12})/.exec(description)?.[1];
      return [
        {
          id: Number(id),
          offset: offset.slice(0, 40),
          class_name: classOf(description),
          size: size === undefined ? null : Number(size),
          description: description.slice(0, 400),
          said: description,
        },
      ];
    },
  );
  const findings: LabFinding[] = [];
  if (objects.length > 0) {
    findings.push({
      rule: 'rtfobj.objects',
      title: 'The RTF holds embedded objects',
      severity: 'low',
      evidenceType: 'structural',
      evidence: evidenceOf(
        'rtfobj',
        objects.map(({ description }) => description),
      ),
      benign: 'Tables, charts and formulas are embedded as objects.',
    });
  }
  const equations = objects.filter(({ class_name }) => equation.test(class_name ?? ''));
  if (equations.length > 0) {
    findings.push({
      rule: 'rtfobj.equation',
      title: 'An embedded object of the old equation editor',
      severity: 'high',
      evidenceType: 'structural',
      evidence: evidenceOf(
        'rtfobj',
        equations.map(({ description }) => description),
      ),
      benign: 'Documents with formulas from before 2018 have it.',
      attack: ['T1203'],
    });
  }
  const known = objects.filter(({ said }) => exploit.test(said));
  if (known.length > 0) {
    findings.push({
      rule: 'rtfobj.known-exploit',
      title: 'rtfobj connects the class of an object with a published weakness',
      severity: 'high',
      evidenceType: 'structural',
      evidence: evidenceOf(
        'rtfobj',
        known.map(({ description }) => description),
      ),
      benign: 'The class alone decides; linked documents of companies use it as well.',
      attack: ['T1203'],
    });
  }
  const facts = { object_count: objects.length, objects: listed(objects).map(({ said, ...object }) => object) };
  // Addresses of linked documents are in what the tool says.
  const said = objects.map((object) => object.said).join('\n');
  return { facts, findings, texts: said === '' ? [] : [{ label: 'rtfobj objects', text: said }], notes: [] };
}

export const rtfobjParser: ToolParser = { id: 'rtfobj', parse };
