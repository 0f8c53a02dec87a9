import type { Finding } from '../../../../base/finding-schema.ts';
import { asObject, asString, entriesOf, type JsonObject } from '../../../../base/json-shape.ts';
import { excerpt, makeFinding, type Rule } from '../rule.ts';
import { type Capabilities, nameWords } from './capabilities.ts';
import { locationsOf, type ServerMetadata } from './capture.ts';
import { metadataRules } from './rules.ts';

/** What the schema and the annotations of a tool give away. */

const freeForm =
  /^(?:command|cmd|shell|bash|script|code|sql|query_?string|raw_?query|expression|eval|exec|javascript|python|statement)$/i;

function freeFormOf(tool: JsonObject): readonly string[] {
  const properties = asObject(asObject(tool.inputSchema).properties);
  return entriesOf(properties)
    .filter(([name, value]) => {
      const schema = asObject(value);
      return (
        freeForm.test(name) &&
        schema.type === 'string' &&
        schema.enum === undefined &&
        schema.const === undefined &&
        schema.pattern === undefined
      );
    })
    .map(([name]) => name);
}

function isOpen(tool: JsonObject): boolean {
  const schema = asObject(tool.inputSchema);
  const hasProperties = entriesOf(schema.properties).length > 0;
  return (
    schema.additionalProperties === true ||
    (!hasProperties &&
      schema.type === 'object' &&
      schema.additionalProperties !== false &&
      asObject(schema.additionalProperties).type !== undefined)
  );
}

function contradictionOf(tool: JsonObject, { changes, destroys }: Capabilities): string | undefined {
  const annotations = asObject(tool.annotations);
  const words = nameWords(tool);
  // The verb of a tool stands first, or behind the name of its service.
  const verb = words.slice(0, 2).find((word) => changes.includes(word) || destroys.includes(word));
  const isReading = words
    .slice(0, 2)
    .some((word) =>
      ['get', 'list', 'read', 'search', 'find', 'show', 'check', 'validate', 'describe', 'preview'].includes(word),
    );
  if (annotations.readOnlyHint === true && annotations.destructiveHint === true)
    return 'readOnlyHint and destructiveHint are both true';
  if (verb === undefined || isReading) return undefined;
  // To run or execute a query can well be reading.
  if (annotations.readOnlyHint === true && !['run', 'execute', 'post'].includes(verb))
    return `readOnlyHint: true, but it is called ${verb}`;
  return annotations.destructiveHint === false && destroys.includes(verb)
    ? `destructiveHint: false, but it is called ${verb}`
    : undefined;
}

export function inspectSchemas(server: ServerMetadata, capabilities: Capabilities): readonly Finding[] {
  return server.tools.flatMap((tool) => {
    const name = asString(tool.name) ?? '?';
    const say = (rule: Rule, title: string, text: string): Finding =>
      makeFinding(rule, {
        identity: [server.name, name],
        locations: locationsOf(server.path),
        title: `${name}: ${title}`,
        evidence: [{ kind: 'metadata', ref: `${server.name}/tool ${name}`.slice(0, 4000), excerpt: excerpt(text) }],
      });
    const free = freeFormOf(tool);
    const contradiction = contradictionOf(tool, capabilities);
    return [
      ...(free.length === 0 ? [] : [say(metadataRules.freeForm, `${free.join(', ')} is free text`, free.join(', '))]),
      ...(isOpen(tool)
        ? [
            say(
              metadataRules.open,
              'takes parameters that it does not name',
              JSON.stringify(tool.inputSchema).slice(0, 400),
            ),
          ]
        : []),
      ...(contradiction === undefined
        ? []
        : [say(metadataRules.contradiction, contradiction, JSON.stringify(tool.annotations).slice(0, 400))]),
    ];
  });
}
