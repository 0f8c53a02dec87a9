import type { LabFinding } from '../../contract.ts';
import { evidenceOf, linesOf, listed, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';
import { readTable } from './table.ts';

/** The tool's own name and address at the top; never an indicator of the sample. */
const banner = /^olevba(?:3)? \d\S* (?:on Python|- )/;
const noMacros = /^No (?:VBA (?:or XLM )?)?macros found\.?$/i;
const macroHeader = /^(?:VBA|XLM|XLF) MACRO /;

type Told = Pick<LabFinding, 'title' | 'severity' | 'evidenceType' | 'benign'> & {
  readonly attack?: readonly string[];
};

const rowTypes: Readonly<Record<string, Told>> = {
  AutoExec: {
    title: 'Macro code that starts by itself',
    severity: 'medium',
    evidenceType: 'structural',
    benign: 'Templates and add-ins of companies start code on opening too.',
    attack: ['T1204.002'],
  },
  Suspicious: {
    title: 'Words in macros that start, write, fetch or hide',
    severity: 'medium',
    evidenceType: 'artifact',
    benign: 'The words are common in honest automation; the code around them decides.',
    attack: ['T1059.005'],
  },
  IOC: {
    title: 'Addresses or file names in macros',
    severity: 'low',
    evidenceType: 'artifact',
    benign: 'Macros name servers and files of their company.',
  },
  'Base64 String': {
    title: 'Base64 text in macros',
    severity: 'low',
    evidenceType: 'artifact',
    benign: 'Pictures and settings are kept this way.',
    attack: ['T1027'],
  },
  'Hex String': {
    title: 'Hex text in macros',
    severity: 'low',
    evidenceType: 'artifact',
    benign: 'Any long hex number looks like it.',
    attack: ['T1027'],
  },
  'VBA Stomping': {
    title: 'Source and compiled code of macros disagree',
    severity: 'high',
    evidenceType: 'structural',
    benign: 'Some tools that rewrite documents drop one of the two.',
    attack: ['T1564.007'],
  },
};

function findingsOf(rows: readonly (readonly string[])[]): LabFinding[] {
  return Object.entries(rowTypes).flatMap(([type, { attack, ...told }]): LabFinding[] => {
    const isStomping = type === 'VBA Stomping';
    const hits = rows.filter((row) =>
      isStomping ? row[1] === 'VBA Stomping' : row[0] === type && row[1] !== 'VBA Stomping',
    );
    if (hits.length === 0) return [];
    const texts = hits.map(([, keyword, description]) => `${keyword} — ${description}`);
    const rule = `olevba.${type.toLowerCase().replace(/ /g, '-')}`;
    return [{ rule, ...told, evidence: evidenceOf('olevba', texts), ...(attack === undefined ? {} : { attack }) }];
  });
}

/** Source between the dashes after a header and the next rule of the output. */
function macroSource(lines: readonly string[]): { readonly modules: readonly string[]; readonly source: string } {
  const modules: string[] = [];
  const source: string[] = [];
  let length = 0;
  let isSource = false;
  for (const line of lines) {
    if (macroHeader.test(line)) {
      modules.push(line.slice(0, 200).trim());
      isSource = false;
    } else if (/^(?:- ){10,}-?\s*$/.test(line)) {
      isSource = true;
    } else if (/^(?:-{20,}|={20,}|\+-{5,}.*\+)\s*$/.test(line)) {
      isSource = false;
    } else if (isSource && length < 4_000_000 && line !== '(empty macro)') {
      source.push(line);
      length += line.length + 1;
    }
  }
  return { modules, source: source.join('\n') };
}

function parse(text: string): ParsedOutput {
  const all = linesOf(text);
  const lines = all.filter((line) => !banner.test(line));
  const { modules, source } = macroSource(lines);
  const isNone = modules.length === 0 && lines.some((line) => noMacros.test(line.trim()));
  const tableAt = lines.findLastIndex((line) => /^\|Type\s*\|Keyword\s*\|Description\s*\|/.test(line));
  const rows = tableAt === -1 ? [] : readTable(lines.slice(tableAt + 1), { columns: 3, isRuled: false, most: 2000 });
  if (!isNone && modules.length === 0 && rows.length === 0) {
    const isOurs = lines.length < all.length || lines.some((line) => line.startsWith('FILE: '));
    return {
      ...nothingParsed,
      notes: [
        isOurs
          ? 'olevba: it read no macros and did not say that there are none.'
          : 'olevba: the output is of another form.',
      ],
    };
  }
  const keywords = rows.map(([type = '', keyword = '', description = '']) => ({ type, keyword, description }));
  return {
    facts: {
      has_macros: !isNone,
      module_count: modules.length,
      modules: listed(modules, 100),
      keywords: listed(keywords),
    },
    findings: findingsOf(rows),
    texts: source.trim() === '' ? [] : [{ label: 'olevba macro source', text: source }],
    notes: [],
  };
}

export const olevbaParser: ToolParser = { id: 'olevba', parse };
