import { asArray, isObject } from '../../../../base/json-shape.ts';
import type { LabFinding } from '../../contract.ts';
import {
  evidenceOf,
  listed,
  nothingParsed,
  type ParsedOutput,
  plainName,
  readJson,
  type ToolParser,
  textOf,
} from './contract.ts';

interface Detection {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly shown: string;
}

/** Newer versions nest what they found under the part of the file; older ones list it flat. */
function detections(document: Record<string, unknown>): readonly Detection[] {
  const parts = asArray(document.detects).slice(0, 200);
  const values = parts.flatMap((part) => (isObject(part) && Array.isArray(part.values) ? part.values : [part]));
  return values
    .slice(0, 1000)
    .filter(isObject)
    .map((value) => ({
      type: plainName(textOf(value.type)),
      name: plainName(textOf(value.name)),
      version: plainName(textOf(value.version)),
      shown: plainName(textOf(value.string)),
    }))
    .filter(({ name, shown }) => name !== '' || shown !== '');
}

type Told = Pick<LabFinding, 'title' | 'severity' | 'benign'> & { readonly attack?: readonly string[] };

/** Types that say something beyond how the file was built. */
const telling: Readonly<Record<string, Told>> = {
  packer: {
    title: 'Detect It Easy names a packer',
    severity: 'medium',
    benign: 'Packers make programs smaller; games, installers and small tools use them.',
    attack: ['T1027.002'],
  },
  protector: {
    title: 'Detect It Easy names a protector',
    severity: 'medium',
    benign: 'Commercial software is protected against copying.',
    attack: ['T1027.002'],
  },
  sfx: {
    title: 'Detect It Easy names a self-extracting archive',
    severity: 'low',
    benign: 'Installers are often built this way.',
  },
  installer: {
    title: 'Detect It Easy names an installer',
    severity: 'info',
    benign: 'Installers are ordinary; what they install is another file.',
  },
  'net obfuscator': {
    title: 'Detect It Easy names a .NET obfuscator',
    severity: 'low',
    benign: 'Vendors obfuscate .NET code to protect it.',
    attack: ['T1027'],
  },
};

function parse(text: string): ParsedOutput {
  const document = readJson(text);
  if (!isObject(document) || !Array.isArray(document.detects)) {
    return { ...nothingParsed, notes: ['diec: the output is not a result document.'] };
  }
  const found = detections(document);
  const named = (type: string): readonly string[] => [
    ...new Set(
      found.filter((one) => one.type.toLowerCase().replace('.', '') === type).map((one) => one.shown || one.name),
    ),
  ];
  const findings = Object.entries(telling).flatMap(([type, told]): LabFinding[] => {
    const shown = named(type);
    if (shown.length === 0) return [];
    return [
      {
        rule: `diec.${type.replace(/ /g, '-')}`,
        evidenceType: 'structural',
        evidence: evidenceOf('signature', shown),
        ...told,
      },
    ];
  });
  const facts = {
    detections: listed(found.map(({ type, name, version }) => ({ type, name, version }))),
    packers: [...named('packer'), ...named('protector')],
    compilers: named('compiler'),
    installers: [...named('installer'), ...named('sfx')],
  };
  return { facts, findings, texts: [], notes: [] };
}

export const diecParser: ToolParser = { id: 'diec', parse };
