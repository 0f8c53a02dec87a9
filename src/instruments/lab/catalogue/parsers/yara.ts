import type { LabFinding } from '../../contract.ts';
import { evidenceOf, linesOf, listed, mostFindings, type ParsedOutput, type ToolParser } from './contract.ts';

/** `RuleName [tags] [meta] /path` (tools are given absolute paths), and with strings `0x1f:$a: text` below it. */
const matchLine = /^([A-Za-z_][A-Za-z0-9_]{0,127})(?: \[[^\n]{0,2000}\])? \/.*$/;
const stringLine = /^0x([0-9a-f]{1,16}):(\$[A-Za-z0-9_]*): (.*)$/i;
const noise = /^(?:warning|error)\b/i;

/** One packer has many rules: they are one finding. */
const packerFamilies = [
  'UPX',
  'ASPack',
  'MPRESS',
  'Themida',
  'VMProtect',
  'Enigma',
  'PECompact',
  'FSG',
  'Petite',
  'NSPack',
] as const;

interface Match {
  readonly rule: string;
  readonly lines: string[];
}

function matchesOf(text: string): readonly Match[] {
  const found = new Map<string, Match>();
  let current: Match | undefined;
  for (const line of linesOf(text)) {
    const part = stringLine.exec(line);
    if (part !== null) {
      if (current !== undefined && current.lines.length < 10) current.lines.push(line.slice(0, 400));
      continue;
    }
    const rule = noise.test(line) ? undefined : matchLine.exec(line)?.[1];
    if (rule === undefined) continue;
    current = found.get(rule) ?? { rule, lines: [] };
    found.set(rule, current);
  }
  return [...found.values()];
}

function packerOf(rule: string): string | undefined {
  return packerFamilies.find((family) => rule.toLowerCase().includes(family.toLowerCase()));
}

const packedBenign = 'Packers make programs smaller; games, installers and small tools use them.';

function parse(text: string): ParsedOutput {
  const matches = matchesOf(text);
  const packers = [...new Set(matches.map(({ rule }) => packerOf(rule)).filter((family) => family !== undefined))];
  const packed = packers.map(
    (family): LabFinding => ({
      rule: `yara.packer-${family.toLowerCase()}`,
      title: `YARA rules name the packer ${family}`,
      severity: 'medium',
      evidenceType: 'structural',
      evidence: evidenceOf(
        'yara',
        matches.filter(({ rule }) => packerOf(rule) === family).map(({ rule }) => rule),
      ),
      benign: packedBenign,
      attack: ['T1027.002'],
    }),
  );
  const others = matches
    .filter(({ rule }) => packerOf(rule) === undefined)
    .map(
      ({ rule, lines }): LabFinding => ({
        rule: `yara.${rule.toLowerCase()}`,
        title: `The YARA rule ${rule} matches`,
        severity: 'low',
        evidenceType: 'artifact',
        evidence: evidenceOf('yara', [rule, ...lines]),
        benign: 'Rules match bytes; unpacked data, other scanners and reports about malware hold the same bytes.',
      }),
    );
  const isSilent = matches.length === 0 && linesOf(text, 1000).some((line) => line.trim() !== '' && !noise.test(line));
  return {
    facts: {
      rules: listed(
        matches.map(({ rule }) => rule),
        mostFindings,
      ),
      rule_count: matches.length,
      packers,
    },
    findings: listed([...packed, ...others], mostFindings),
    texts: [],
    notes: isSilent ? ['yara: the output holds no line of a match.'] : [],
  };
}

export const yaraParser: ToolParser = { id: 'yara', parse };
