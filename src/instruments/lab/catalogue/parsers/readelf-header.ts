import { linesOf, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';

const keys: Readonly<Record<string, string>> = {
  Class: 'class',
  Data: 'data',
  'OS/ABI': 'abi',
  Type: 'type',
  Machine: 'machine',
  'Entry point address': 'entry_point',
  'Number of program headers': 'program_header_count',
  'Number of section headers': 'section_count',
};

function parse(text: string): ParsedOutput {
  const facts: Record<string, string | number> = {};
  for (const line of linesOf(text, 500)) {
    const [, label, value] = /^ {2}([A-Z][^:]{2,60}):\s+(\S.*)$/.exec(line) ?? [];
    const key = keys[label ?? ''];
    if (key === undefined || value === undefined) continue;
    facts[key] = key.endsWith('_count') ? Number.parseInt(value, 10) || 0 : value.slice(0, 200);
  }
  if (Object.keys(facts).length === 0)
    return { ...nothingParsed, notes: ['readelf: no header was found in the output.'] };
  const isSectionless = facts.section_count === 0;
  return {
    facts,
    findings: isSectionless
      ? [
          {
            rule: 'readelf.no-sections',
            title: 'The program has no section headers',
            severity: 'low',
            evidenceType: 'structural',
            evidence: [{ where: 'ELF header', text: 'Number of section headers: 0' }],
            benign: 'Small firmware images and some packers for size leave them out.',
            attack: ['T1027'],
          },
        ]
      : [],
    texts: [],
    notes: [],
  };
}

export const readelfHeaderParser: ToolParser = { id: 'readelf-header', parse };
