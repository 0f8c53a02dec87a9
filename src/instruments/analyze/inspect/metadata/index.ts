import type { Finding } from '../../../../base/finding-schema.ts';
import { type Field, longestText } from '../../../../targets/wording/field.ts';
import { inspectCharacters } from '../../../../targets/wording/hidden-characters.ts';
import { findInstructions, highestSeverity, type Instruction } from '../../../../targets/wording/instructions.ts';
import { type Phrases, readPhrases } from '../../../../targets/wording/phrases.ts';
import type { Inspection, Issue } from '../contract.ts';
import { type Claim, excerpt, makeFinding, type Rule } from '../rule.ts';
import { type Flow, inspectAcrossServers } from './across-servers.ts';
import { readCapabilities } from './capabilities.ts';
import { locationsOf, type ServerMetadata } from './capture.ts';
import { fieldsOf } from './fields.ts';
import { metadataRules } from './rules.ts';
import { inspectSchemas } from './schemas.ts';

export type { Flow } from './across-servers.ts';
export { readCapture, type ServerMetadata } from './capture.ts';
export { metadataRules } from './rules.ts';

export interface MetadataReport {
  readonly servers: readonly {
    readonly name: string;
    readonly tools: number;
    readonly prompts: number;
    readonly resources: number;
  }[];
  readonly flow: Flow;
}

const mostEvidence = 5;

function placeOf(server: string, field: Pick<Field, 'item' | 'path'>): string {
  return `${server}/${field.item} ${field.path}`.slice(0, 4000);
}

function instructionFindings(
  { name: server, path }: ServerMetadata,
  item: string,
  fields: readonly Field[],
  phrases: Phrases,
): readonly Finding[] {
  const byRule = Map.groupBy(findInstructions(fields, phrases), ({ rule }) => rule);
  return [...byRule.entries()].map(([kind, found]) => {
    const rule: Rule = metadataRules[kind];
    const evidence = (instruction: Instruction) => ({
      kind: 'metadata' as const,
      ref: placeOf(server, { item, path: instruction.path }),
      excerpt: excerpt(instruction.how === 'plain' ? instruction.text : `${instruction.how}: ${instruction.text}`),
    });
    return makeFinding(rule, {
      identity: [server, item],
      locations: locationsOf(path),
      title: `${item}: ${rule.title.charAt(0).toLowerCase()}${rule.title.slice(1)}`,
      severity: highestSeverity(
        found.map(({ severity }) => severity),
        rule.severity,
      ),
      evidence: found.slice(0, mostEvidence).map(evidence),
    });
  });
}

function characterFindings(
  { name: server, path }: ServerMetadata,
  item: string,
  fields: readonly Field[],
): readonly Finding[] {
  const found = new Map<Rule, { readonly field: Field; readonly what: string }[]>();
  const add = (rule: Rule, field: Field, what: string | undefined): void => {
    if (what !== undefined) found.set(rule, [...(found.get(rule) ?? []), { field, what }]);
  };
  for (const field of fields) {
    if (field.path.endsWith('[]')) continue;
    const characters = inspectCharacters(field.text.slice(0, longestText));
    add(metadataRules.invisible, field, characters.invisible);
    add(metadataRules.confusable, field, characters.confusable);
    add(metadataRules.escapes, field, characters.hasEscapes ? 'escape sequences' : undefined);
    add(metadataRules.outOfSight, field, characters.outOfSight);
  }
  return [...found.entries()].map(([rule, places]) => {
    const claim: Claim = {
      identity: [server, item],
      locations: locationsOf(path),
      title: `${item}: ${places[0]?.what ?? rule.title}`,
      evidence: places.slice(0, mostEvidence).map(({ field, what }) => ({
        kind: 'metadata',
        ref: placeOf(server, field),
        excerpt: excerpt(`${what}: ${field.text.slice(0, 300)}`),
      })),
    };
    return makeFinding(rule, claim);
  });
}

/** Everything that servers say about themselves, one by one and together. The names of servers tell them apart. */
export function inspectMetadata(servers: readonly ServerMetadata[]): Inspection<MetadataReport> {
  const phrases = readPhrases();
  const capabilities = readCapabilities();
  const issues: Issue[] = [];
  const findings: Finding[] = [];
  for (const server of servers) {
    for (const [item, fields] of Map.groupBy(fieldsOf(server), ({ item: name }) => name)) {
      const cut = fields.filter(({ text }) => text.length > longestText);
      issues.push(
        ...cut.map((field) => ({
          path: placeOf(server.name, field),
          problem: `has ${field.text.length} characters; ${longestText} were looked at`,
        })),
      );
      findings.push(...instructionFindings(server, item, fields, phrases), ...characterFindings(server, item, fields));
    }
    findings.push(...inspectSchemas(server, capabilities));
  }
  const across = inspectAcrossServers(servers, capabilities);
  return {
    findings: [...findings, ...across.findings],
    issues,
    data: {
      servers: servers.map(({ name, tools, prompts, resources }) => ({
        name,
        tools: tools.length,
        prompts: prompts.length,
        resources: resources.length,
      })),
      flow: across.flow,
    },
  };
}
