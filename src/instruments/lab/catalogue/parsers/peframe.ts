import type { LabFinding } from '../../contract.ts';
import { evidenceOf, linesOf, listed, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';

const notableImports = new Set(
  (
    'CreateRemoteThread VirtualAllocEx WriteProcessMemory NtUnmapViewOfSection SetWindowsHookEx QueueUserAPC ' +
    'VirtualProtect URLDownloadToFile InternetOpen HttpSendRequest WinExec ShellExecute RegSetValueEx CreateService ' +
    'CryptEncrypt GetAsyncKeyState IsDebuggerPresent'
  ).split(' '),
);
export const notableImportCount = notableImports.size;

function bareName(name: string): string {
  return name.length > 4 && /[a-z][AW]$/.test(name) ? name.slice(0, -1) : name;
}

/** Blocks: a rule of dashes, a title, a rule of dashes, lines until the next. */
function blocksOf(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const [at, line] of lines.entries()) {
    const isTitle = /^-{20,}$/.test(lines[at - 1] ?? '') && /^-{20,}$/.test(lines[at + 1] ?? '');
    if (isTitle && blocks.size < 60) {
      current = [];
      blocks.set(
        line
          .replace(/\s*\(time:.*$/, '')
          .trim()
          .toLowerCase()
          .slice(0, 60),
        current,
      );
    } else if (current !== undefined && current.length < 5000 && line.trim() !== '' && !/^-{20,}$/.test(line)) {
      current.push(line.trim());
    }
  }
  return blocks;
}

interface Observed {
  readonly block: string;
  readonly rule: string;
  readonly told: Pick<LabFinding, 'title' | 'severity' | 'evidenceType' | 'benign'> & {
    readonly attack?: readonly string[];
  };
}

const observed: readonly Observed[] = [
  {
    block: 'packer',
    rule: 'peframe.packer',
    told: {
      title: 'peframe names a packer or compiler signature',
      severity: 'low',
      evidenceType: 'structural',
      benign: 'The list also holds compilers; packers make programs smaller.',
      attack: ['T1027.002'],
    },
  },
  {
    block: 'anti debug',
    rule: 'peframe.anti-debug',
    told: {
      title: 'Functions that can notice a debugger',
      severity: 'low',
      evidenceType: 'artifact',
      benign: 'The run-time library of common compilers imports them.',
      attack: ['T1622'],
    },
  },
];

function parse(text: string): ParsedOutput {
  const blocks = blocksOf(linesOf(text, 100_000));
  if (!blocks.has('file information'))
    return { ...nothingParsed, notes: ['peframe: no file information was found in the output.'] };
  const information: Record<string, string> = {};
  for (const line of listed(blocks.get('file information') ?? [], 60)) {
    const [, key, value] = /^([a-z][a-z0-9 ]{1,20}?) {2,}(.*)$/i.exec(line) ?? [];
    if (key !== undefined) information[key.trim().replace(/ /g, '_')] = (value ?? '').slice(0, 400);
  }
  const named = [
    ...new Set(
      [...blocks.values()]
        .flat()
        .map(bareName)
        .filter((name) => notableImports.has(name)),
    ),
  ];
  const findings = observed.flatMap(({ block, rule, told }): LabFinding[] => {
    const found = blocks.get(block) ?? [];
    return found.length === 0 ? [] : [{ rule, ...told, evidence: evidenceOf(`peframe ${block}`, found) }];
  });
  if (named.length > 0) {
    findings.push({
      rule: 'peframe.notable-imports',
      title: 'Imported functions that matter for what a program can do',
      severity: 'low',
      evidenceType: 'artifact',
      evidence: evidenceOf('peframe', named),
      benign: 'Ordinary programs import most of them.',
    });
  }
  const facts = {
    information,
    blocks: [...blocks.keys()],
    packers: listed(blocks.get('packer') ?? [], 20),
    notable_imports: named,
    urls: listed(blocks.get('url') ?? [], 100),
  };
  return { facts, findings, texts: [], notes: [] };
}

export const peframeParser: ToolParser = { id: 'peframe', parse };
