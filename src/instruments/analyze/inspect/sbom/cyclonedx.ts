import { sha256 } from '../../../../base/fingerprint.ts';
import type { Component, Graph } from './graph.ts';
import { makePurl } from './purl.ts';
import { readSpdxIds } from './spdx.ts';

/** CycloneDX 1.6 as JSON. The same graph gives the same bytes: there is no time in it, and its serial number is its hash. */

export interface BomComponent {
  readonly type: 'library' | 'application';
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version?: string;
  readonly scope?: 'required' | 'optional' | 'excluded';
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly unknown[];
  readonly purl?: string;
  readonly externalReferences?: readonly { readonly type: string; readonly url: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export interface Bom {
  readonly $schema: string;
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: {
    readonly tools: { readonly components: readonly { readonly type: 'application'; readonly name: string }[] };
    readonly component: BomComponent;
    readonly properties: readonly { readonly name: string; readonly value: string }[];
  };
  readonly components: readonly BomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** An id and an expression have fields of their own; anything else is a name. Expressions stand alone by the schema. */
function licensesOf(licences: readonly string[], ids: ReadonlySet<string>): readonly unknown[] | undefined {
  const [first] = licences;
  if (first === undefined) return undefined;
  const isExpression = /\s(?:AND|OR|WITH)\s/.test(first) && /^[A-Za-z0-9.+()\s-]+$/.test(first);
  if (licences.length === 1 && isExpression) return [{ expression: first }];
  return licences.map((licence) => ({ license: ids.has(licence) ? { id: licence } : { name: licence } }));
}

function nameParts({ ecosystem, name }: Pick<Component, 'ecosystem' | 'name'>): { group?: string; name: string } {
  const [group, base] = name.split('/', 2);
  return ecosystem === 'npm' && name.startsWith('@') && group !== undefined && base !== undefined
    ? { group, name: base }
    : { name };
}

function scopeOf({ isDevelopment, isOptional }: Component): 'required' | 'optional' | 'excluded' {
  if (isDevelopment) return 'excluded';
  return isOptional ? 'optional' : 'required';
}

/** Only what is a URL by the schema; a folder or a git shorthand is told as a property. */
const isUrl = (text: string): boolean =>
  /^(?:https?|git\+https?|git\+ssh|ssh):\/\/[\w.~:/?#@!$&'()*+,;=%-]+$/.test(text);

function componentOf(component: Component, ids: ReadonlySet<string>): BomComponent {
  const { purl, version, range, hashes, licences, origin } = component;
  const licenses = licensesOf(licences, ids);
  const properties = [
    ...(component.isDevelopment ? [{ name: 'hotcell:development', value: 'true' }] : []),
    ...(component.isOptional ? [{ name: 'hotcell:optional', value: 'true' }] : []),
    ...(version === undefined && range !== undefined ? [{ name: 'hotcell:range', value: range.toWellFormed() }] : []),
    ...(origin !== undefined && !isUrl(origin) ? [{ name: 'hotcell:origin', value: origin.toWellFormed() }] : []),
  ];
  return {
    type: 'library',
    'bom-ref': purl,
    ...nameParts(component),
    ...(version === undefined ? {} : { version }),
    scope: scopeOf(component),
    ...(hashes.length === 0 ? {} : { hashes: hashes.map(({ algorithm, hex }) => ({ alg: algorithm, content: hex })) }),
    ...(licenses === undefined ? {} : { licenses }),
    purl,
    ...(origin !== undefined && isUrl(origin) ? { externalReferences: [{ type: 'distribution', url: origin }] } : {}),
    ...(properties.length === 0 ? {} : { properties }),
  };
}

/** A UUID made of a hash, marked as version 8 (RFC 9562: the maker's own). */
function uuidOf(text: string): string {
  const hex = sha256(text);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function toCycloneDx(graph: Graph): Bom {
  const { root } = graph;
  const ids = readSpdxIds();
  const rootPurl = makePurl(root.ecosystem, root.name, root.version);
  // A package may list itself (a workspace, a published copy): the root keeps a reference of its own.
  const rootRef = `target:${rootPurl ?? root.name}`;
  const content = {
    metadata: {
      tools: { components: [{ type: 'application' as const, name: 'hotcell' }] },
      component: {
        type: 'application' as const,
        'bom-ref': rootRef,
        ...nameParts(root),
        ...(root.version === undefined ? {} : { version: root.version }),
        ...(rootPurl === undefined ? {} : { purl: rootPurl }),
      },
      properties: [
        { name: 'hotcell:complete', value: String(graph.isComplete) },
        ...graph.sources.map((source) => ({ name: 'hotcell:source', value: source.toWellFormed() })),
      ],
    },
    components: graph.components.map((component) => componentOf(component, ids)),
    dependencies: [
      { ref: rootRef, dependsOn: graph.direct },
      ...graph.components.map(({ purl, dependsOn }) => ({ ref: purl, dependsOn })),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
}
