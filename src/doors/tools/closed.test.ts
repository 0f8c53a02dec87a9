import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findOpenings } from './closed.ts';
import { toolsets } from './index.ts';

/** The gate of the build: what calls itself closed is. */

const closedTools = [...new Set(Object.values(toolsets).flatMap(({ tools }) => tools))].filter(({ closed }) => closed);

const bounded = z.string().max(9);

describe('findOpenings', () => {
  it.each<readonly [string, z.ZodObject]>([
    ['a target and ports', z.strictObject({ target: bounded, ports: z.string().regex(/^\d+$/) })],
    ['a list of words', z.strictObject({ kind: z.enum(['a', 'b']), many: z.array(z.enum(['x'])).max(3) })],
    ['numbers and switches', z.strictObject({ count: z.number(), deep: z.boolean().default(false) })],
    ['a name that only begins like one', z.strictObject({ commander: bounded, rawhide: bounded, shelf: bounded })],
    ['bounded names and values', z.strictObject({ map: z.record(bounded, bounded) })],
  ])('none in %s', (_, input) => {
    expect(findOpenings({ input })).toEqual([]);
  });

  const names =
    'command cmd args argv extra_args additional_flags flags options shell exec raw extraArgs rawQuery nmapOptions cmd_line commandLine EXEC shell_script code eval passthrough'.split(
      ' ',
    );
  it.each(names)('a parameter called %s', (name) => {
    expect(findOpenings({ input: z.strictObject({ target: bounded, [name]: bounded }) })).toHaveLength(1);
  });

  it.each<readonly [string, z.ZodObject]>([
    ['a text without an end', z.strictObject({ target: z.string() })],
    ['one that may be left out', z.strictObject({ target: z.string().optional() })],
    ['one that may be null', z.strictObject({ target: z.string().nullable() })],
    ['a least length alone', z.strictObject({ target: z.string().min(1) })],
    ['one in a list', z.strictObject({ targets: z.array(z.string()).max(3) })],
    ['one in an object in a list', z.strictObject({ targets: z.array(z.strictObject({ host: z.string() })).max(3) })],
    ['one among others', z.strictObject({ target: z.union([z.literal('a'), z.string()]) })],
    ['one as a value', z.strictObject({ map: z.record(bounded, z.string()) })],
    ['one as a name', z.strictObject({ map: z.record(z.string(), bounded) })],
    ['anything', z.strictObject({ target: z.unknown() })],
    ['an object of any fields', z.strictObject({ target: z.looseObject({}) })],
    ['a banned name further down', z.strictObject({ target: z.strictObject({ shell: bounded }) })],
  ])('%s', (_, input) => {
    expect(findOpenings({ input })).not.toEqual([]);
  });
});

describe('closed tools', () => {
  it('are those of probe', () => {
    expect(closedTools.map(({ name }) => name).toSorted()).toEqual([
      'arjun_params',
      'ffuf_discover',
      'get_scope',
      'graphql_audit',
      'http_probe',
      'jwt_audit',
      'mcp_probe',
      'nmap_scan',
      'nuclei_scan',
      'openapi_audit',
      'tls_audit',
    ]);
  });

  it.each(closedTools.map((tool) => [tool.name, tool] as const))('%s has no opening', (_, tool) => {
    expect(findOpenings(tool)).toEqual([]);
  });
});
