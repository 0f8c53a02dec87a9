import type { Collector, FindingKind } from '../collector.ts';
import { remoteTemplateKind } from '../kinds-of-findings.ts';
import { scanXml } from './scan-xml.ts';

/** What the parts of an OOXML document point to, above all outside of it. */

export interface Relationship {
  readonly part: string;
  readonly type: string;
  readonly target: string;
  readonly isExternal: boolean;
}

const externalObjectKind = {
  rule: 'office.remote-object',
  title: 'The document links to an object outside of it that is fetched when it is opened',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Charts linked to a workbook on a share of the firm are stored this way.',
  attack: ['T1221', 'T1203'],
} as const;

const externalPartKind = {
  rule: 'office.remote-part',
  title: 'The document points to content outside of it',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Pictures and frames on the web are linked by newsletters and exported pages.',
  attack: ['T1187'],
} as const;

const oddSchemeKind = {
  rule: 'office.remote-scheme',
  title: 'The document points outside with a scheme that other programs of Windows answer',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Links into mail programs and meeting tools have schemes of their own too.',
  attack: ['T1221', 'T1218'],
} as const;

/** By the end of the relationship's type, in small letters. */
const kindsByType: Readonly<Record<string, FindingKind>> = {
  attachedtemplate: remoteTemplateKind,
  oleobject: externalObjectKind,
  package: externalObjectKind,
  frame: externalObjectKind,
  subdocument: externalObjectKind,
  control: externalObjectKind,
  externallinkpath: externalPartKind,
  image: externalPartKind,
  slidemaster: externalObjectKind,
  audio: externalPartKind,
  video: externalPartKind,
  stylesheet: externalPartKind,
};

const oddScheme =
  /^\s*(?:mhtml|ms-(?!settings)[a-z-]{2,30}|search-ms|javascript|vbscript|script|res|its|mk|ldap|shell|x-usc|res):|!x-usc:/i;

export function readRelationships(text: string, part: string, tick: () => void): Relationship[] {
  const found: Relationship[] = [];
  scanXml(
    text,
    {
      tag(tag) {
        if (tag.name !== 'Relationship' || tag.isEnd || found.length >= 5000) return;
        const values = tag.attributes();
        const type = values.get('Type') ?? '';
        found.push({
          part,
          type: type.slice(type.lastIndexOf('/') + 1),
          target: (values.get('Target') ?? '').trim(),
          isExternal: /^\s*external\s*$/i.test(values.get('TargetMode') ?? ''),
        });
      },
    },
    tick,
  );
  return found;
}

export function reportRelationships(collector: Collector, relationships: readonly Relationship[]): void {
  const external = relationships.filter(({ isExternal }) => isExternal);
  const links = external.filter(({ type }) => type.toLowerCase() === 'hyperlink');
  const others = external.filter(({ type }) => type.toLowerCase() !== 'hyperlink');
  collector.list('hyperlinks', [...new Set(links.map(({ target }) => target))]);
  collector.list(
    'external_relationships',
    others.map(({ part, type, target }) => ({ part, type, target })),
    50,
  );
  for (const { part, type, target } of external) {
    const evidence = { where: `part ${part}`, text: `${type}: ${target}` };
    const kind = kindsByType[type.toLowerCase()];
    if (kind !== undefined) collector.finding(kind, evidence);
    if (oddScheme.test(target)) collector.finding(oddSchemeKind, evidence);
  }
  const text = external.map(({ target }) => target.replace(/^mhtml:/i, '')).join('\n');
  collector.text('targets outside of the document', text);
}
