import type { Finding } from '../../../../base/finding-schema.ts';
import { asString, type JsonObject } from '../../../../base/json-shape.ts';
import { latinForm, sentencesOf } from '../../../../targets/wording/text-forms.ts';
import { editDistance, skeleton } from '../package/lookalike.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { type Capabilities, type Leg, legs, legsOf } from './capabilities.ts';
import { locationsOf, type ServerMetadata } from './capture.ts';
import { metadataRules } from './rules.ts';

/** What only shows when all servers of one client are looked at together. */

interface Owned {
  readonly server: string;
  readonly name: string;
  readonly tool: JsonObject;
  readonly path: string | undefined;
}

const mostTools = 3_000;

function ownedTools(servers: readonly ServerMetadata[]): readonly Owned[] {
  return servers
    .flatMap((server) =>
      server.tools.map((tool) => ({ server: server.name, name: asString(tool.name) ?? '', tool, path: server.path })),
    )
    .filter(({ name }) => name !== '')
    .slice(0, mostTools);
}

const appearance = (name: string): string => skeleton(latinForm(name));

function shadowed(owned: readonly Owned[]): readonly Finding[] {
  return [...Map.groupBy(owned, ({ name }) => appearance(name)).values()].flatMap((group) => {
    const servers = [...new Set(group.map(({ server }) => server))].sort();
    const [first] = group;
    if (servers.length < 2 || first === undefined) return [];
    return [
      makeFinding(metadataRules.shadowed, {
        identity: [appearance(first.name), ...servers],
        locations: locationsOf(first.path),
        title: `${first.name} is offered by ${servers.join(' and ')}`,
        evidence: group.map(({ server, name }) => ({
          kind: 'metadata' as const,
          ref: `${server}/tool ${name}`.slice(0, 4000),
          excerpt: excerpt(name),
        })),
      }),
    ];
  });
}

const shortestSimilar = 8;
const mostPairs = 200;

function similar(owned: readonly Owned[]): readonly Finding[] {
  const findings: Finding[] = [];
  const long = owned.filter(({ name }) => name.length >= shortestSimilar);
  const isPlural = (left: string, right: string): boolean => `${left}s` === right || `${right}s` === left;
  for (const [index, left] of long.entries()) {
    for (const right of long.slice(index + 1)) {
      if (
        left.server === right.server ||
        appearance(left.name) === appearance(right.name) ||
        isPlural(left.name, right.name)
      )
        continue;
      if (editDistance(left.name, right.name, 1) > 1) continue;
      findings.push(
        makeFinding(metadataRules.similar, {
          identity: [left.server, left.name, right.server, right.name],
          locations: locationsOf(left.path),
          title: `${left.server}/${left.name} and ${right.server}/${right.name} are nearly the same name`,
          evidence: [left, right].map(({ server, name }) => ({
            kind: 'metadata' as const,
            ref: `${server}/tool ${name}`.slice(0, 4000),
            excerpt: excerpt(name),
          })),
        }),
      );
      if (findings.length >= mostPairs) return findings;
    }
  }
  return findings;
}

/** A name of several words is meant when it occurs; one plain word such as `list` occurs in any prose. */
const isDistinct = (name: string): boolean => name.length >= 6 && /[_-]|[a-z][A-Z]/.test(name);
const telling =
  /\b(?:when|whenever|before|after|instead|must|always|never|call|calling|use|using|set|do not|don't|should)\b/;

function refers(servers: readonly ServerMetadata[], owned: readonly Owned[]): readonly Finding[] {
  const owners = Map.groupBy(owned, ({ name }) => name);
  const distinct = [...owners.keys()].filter(isDistinct);
  return servers.flatMap((server) => {
    const own = new Set(server.tools.map(({ name }) => asString(name)));
    const foreign = distinct.filter((name) => !own.has(name));
    return server.tools.flatMap((tool) => {
      const sentences = sentencesOf(asString(tool.description) ?? '').split('\n');
      const name = asString(tool.name) ?? '?';
      return foreign.flatMap((other) => {
        const pattern = other.toLowerCase();
        const escaped = pattern.replace(/[^\w]/g, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
        const sentence = sentences.find(
          (text) =>
            text.includes(pattern) &&
            new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'u').test(text) &&
            telling.test(text),
        );
        if (sentence === undefined) return [];
        const owner = owners.get(other)?.[0]?.server ?? '?';
        return [
          makeFinding(metadataRules.refers, {
            identity: [server.name, name, owner, other],
            locations: locationsOf(server.path),
            title: `${server.name}/${name} says how to use ${owner}/${other}`,
            evidence: [
              { kind: 'metadata', ref: `${server.name}/tool ${name}`.slice(0, 4000), excerpt: excerpt(sentence) },
            ],
          }),
        ];
      });
    });
  });
}

export type Flow = Readonly<Record<Leg, readonly string[]>>;

/** Which tools, of which servers, are each leg of the flow. */
export function flowOf(servers: readonly ServerMetadata[], capabilities: Capabilities): Flow {
  const owned = ownedTools(servers).map((one) => ({ ...one, legs: legsOf(one.tool, capabilities) }));
  const named = (leg: Leg): readonly string[] =>
    owned.filter((one) => one.legs.includes(leg)).map(({ server, name }) => `${server}/${name}`);
  return { private: named('private'), untrusted: named('untrusted'), outward: named('outward') };
}

function toxic(flow: Flow, path: string | undefined): readonly Finding[] {
  if (legs.some((leg) => flow[leg].length === 0)) return [];
  const some = (leg: Leg): string =>
    flow[leg].slice(0, 3).join(', ') + (flow[leg].length > 3 ? ` and ${flow[leg].length - 3} more` : '');
  const text = `private data: ${some('private')}\ntext of others: ${some('untrusted')}\na way out: ${some('outward')}`;
  return [
    makeFinding(metadataRules.toxic, {
      identity: ['flow'],
      locations: locationsOf(path),
      evidence: [{ kind: 'metadata', ref: 'all servers', excerpt: excerpt(text) }],
    }),
  ];
}

export function inspectAcrossServers(
  servers: readonly ServerMetadata[],
  capabilities: Capabilities,
): { readonly findings: readonly Finding[]; readonly flow: Flow } {
  const owned = ownedTools(servers);
  const flow = flowOf(servers, capabilities);
  return {
    findings: [
      ...shadowed(owned),
      ...similar(owned),
      ...refers(servers, owned),
      ...toxic(flow, servers.find((server) => server.path !== undefined)?.path),
    ],
    flow,
  };
}
