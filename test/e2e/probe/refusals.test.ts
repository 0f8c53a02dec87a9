import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findTool } from '../../../src/engine/host/index.ts';
import type { ScanResult } from '../../../src/instruments/probe/contract.ts';
import { scanners } from '../../../src/instruments/probe/scanners/index.ts';
import { nameserver } from '../../contract/probe/places.ts';
import { outOfScope, target } from '../../contract/probe/world.ts';
import {
  type HostileArgument,
  hostileArguments,
  hostileArgumentsScope,
} from '../../samples/probe/hostile-arguments.ts';
import { leads } from '../../samples/probe/weak-api/planted.ts';
import { Place, quickScope, whyNoPlace } from './place.ts';

/** What scanners may not do, asked for in every way: it is refused with the reason, or stopped on the wire. */

const reason = await whyNoPlace();
const hasNuclei = (await findTool('nuclei')) !== null;
const base = `http://${target.ipv4}`;
const name = 'api.example';
const secret = 'Bearer hotcell-secret-5f1c0a';
const longestMs = 300_000;

/** A template that asks for what is beyond the prefix that it is given. */
const template = `id: planted-outside
info: { name: Outside, author: hotcell, severity: high, tags: exposure }
http:
  - method: GET
    redirects: true
    path: ["{{RootURL}}/admin", "{{RootURL}}/go", "{{BaseURL}}"]
    matchers: [{ type: status, status: [200] }]
`;

const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** The tool that takes such an argument as it is, and the flags of its twin. */
function asCall({ kind, text, options }: HostileArgument) {
  if (kind === 'target')
    return { tool: 'nmap_scan', input: { target: text, ports: '80' }, words: ['nmap', '--', text] };
  if (kind === 'ports') {
    return {
      tool: 'nmap_scan',
      input: { target: '127.0.0.1', ports: text },
      words: ['nmap', '127.0.0.1', `--ports=${text}`],
    };
  }
  const url = kind === 'method' ? 'http://127.0.0.1:8080/' : text;
  const method = kind === 'method' ? { method: text } : {};
  if (options !== undefined) return { tool: 'ffuf_discover', input: { url }, words: ['ffuf', '--', url] };
  return {
    tool: 'arjun_params',
    input: { url, ...method },
    words: ['arjun', ...(kind === 'method' ? [`--method=${text}`] : []), '--', url],
  };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('what is out of scope', () => {
  let place: Place;
  beforeAll(async () => {
    if (reason !== null) return;
    place = await Place.open({
      ...(hasNuclei ? { templates: { 'outside.yaml': template } } : {}),
      names: [name],
      resolver: true,
      environment: { API_TOKEN: secret },
    });
  });
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
  });
  afterAll(() => place?.close());

  async function scan(
    client: Awaited<ReturnType<Place['client']>>,
    tool: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<ScanResult> {
    const answer = await client.callTool({ name: tool, arguments: input }, { timeout: longestMs });
    expect(answer.isError ?? false, `${tool}: ${textOf(answer)}`).toBe(false);
    return answer.structuredContent as ScanResult;
  }

  it('is refused as an argument, over MCP', { timeout: longestMs }, async () => {
    const client = await place.client(['--scope', place.scope('hostile', hostileArgumentsScope)]);
    const accepted: string[] = [];
    const wrong: string[] = [];
    for (let at = 0; at < hostileArguments.length; at += 50) {
      await Promise.all(
        hostileArguments.slice(at, at + 50).map(async (argument) => {
          const { tool, input } = asCall(argument);
          const answer = await client.callTool({ name: tool, arguments: input });
          const text = textOf(answer);
          if (answer.isError !== true) accepted.push(`${tool} ${JSON.stringify(input)}`);
          // What is too short, too long or no value of a list is refused by the schema, in its words.
          const isOfSchema = /^Error: \w+: (url|target|ports|method): (Too|Invalid)/.test(text);
          if (!argument.reason.test(text) && !isOfSchema) wrong.push(`${JSON.stringify(argument.text)}: ${text}`);
        }),
      );
    }
    expect(hostileArguments.length).toBeGreaterThan(100);
    expect({ accepted, wrong }).toEqual({ accepted: [], wrong: [] });
    expect(await place.world.seen()).toEqual([]);
  });

  it('is refused as an argument, by command line', { timeout: longestMs }, async () => {
    const scope = place.scope('hostile', hostileArgumentsScope);
    const possible = hostileArguments.filter(({ text }) => !text.includes('\0') && text.length < 3000);
    const sample = possible.filter((_, at) => at % Math.floor(possible.length / 15) === 0);
    expect(sample.length).toBeGreaterThanOrEqual(15);
    for (let at = 0; at < sample.length; at += 4) {
      await Promise.all(
        sample.slice(at, at + 4).map(async (argument) => {
          const [command = '', ...words] = asCall(argument).words;
          const { code, stdout, stderr } = await place.run(['probe', command, '--scope', scope, ...words]);
          expect({ code, stdout, words }, stderr).toEqual({ code: 2, stdout: '', words });
          expect(stderr).toMatch(/^hotcell: \S/);
        }),
      );
    }
    expect(await place.world.seen()).toEqual([]);
  });

  it('is everything where there is no scope, or none that holds', { timeout: longestMs }, async () => {
    const expired = place.scope('expired', { ...quickScope, expires: '2026-01-02T00:00:00Z' });
    const places: readonly [args: readonly string[], says: RegExp, isServed?: boolean][] = [
      [[], /there is no scope.*--scope FILE or HOTCELL_PROBE_SCOPE/s, true],
      [['--scope', expired], /expired/, true],
      [['--scope', place.scope('broken', '{"targets":')], /broken\.json/],
      [['--scope', place.scope('open', { targets: ['0.0.0.0/0'] })], /open\.json.*authorization/s],
      [['--scope', join(place.root, 'nowhere.json')], /nowhere\.json/],
    ];
    await Promise.all(
      places.map(async ([args, says, isServed = false]) => {
        // A server whose scope cannot be read does not begin.
        const client = await place.client(args).catch(() => null);
        expect({ args, isServed: client !== null }).toEqual({ args, isServed });
        const inputs: Readonly<Record<string, unknown>> = { url: `${base}/FUZZ`, target: target.ipv4 };
        for (const { name: tool, positional } of client === null ? [] : scanners) {
          const extra = tool === 'jwt_audit' ? { token: 'aa.bb.cc' } : {};
          const answer = await client?.callTool({
            name: tool,
            arguments: { [positional]: inputs[positional], ...extra },
          });
          const text = answer === undefined ? '' : textOf(answer);
          expect({ tool, isError: answer?.isError }, text).toEqual({ tool, isError: true });
          expect(text).toMatch(says);
        }
        const ran = await place.run(['probe', 'nmap', target.ipv4, '--ports', '80', ...args]);
        expect({ code: ran.code, stdout: ran.stdout }, ran.stderr).toEqual({ code: 2, stdout: '' });
        expect(ran.stderr).toMatch(says);
      }),
    );
    expect(await place.world.seen()).toEqual([]);
  });

  it('has no argument to ask for it with', async () => {
    const client = await place.client(['--scope', place.scope('scope', quickScope)]);
    const extras = ['command', 'cmd', 'args', 'argv', 'flags', 'options', 'shell', 'exec', 'raw', 'proxy', 'scope'];
    for (const { name: tool, positional } of scanners) {
      const answers = await Promise.all(
        extras.map((extra) =>
          client.callTool({ name: tool, arguments: { [positional]: target.ipv4, [extra]: '-oN /tmp/x' } }),
        ),
      );
      for (const [at, answer] of answers.entries()) {
        expect({ tool, extra: extras[at], isError: answer.isError }).toMatchObject({ isError: true });
        expect(textOf(answer)).toContain(extras[at]);
      }
    }
    const schemas = (await client.listTools()).tools.map(({ inputSchema }) => inputSchema.additionalProperties);
    expect(new Set(schemas)).toEqual(new Set([false]));
    expect(await place.world.seen()).toEqual([]);
  });

  it('is not followed to', { timeout: longestMs }, async () => {
    const client = await place.client(['--scope', place.scope('scope', quickScope)]);
    const [go] = leads.redirects;
    const away = `${base}${go.path}`;
    const open = `${base}${leads.openRedirect.path}?${leads.openRedirect.parameter}=`;
    const elsewhere = `http://${outOfScope[0]}/`;
    const results = await Promise.all([
      scan(client, 'arjun_params', { url: away }),
      scan(client, 'ffuf_discover', { url: `${open}${elsewhere}FUZZ`, match: 'all-but-404' }),
      scan(client, 'http_probe', { url: away }),
      scan(client, 'http_probe', { url: `${open}${encodeURIComponent(elsewhere)}` }),
      scan(client, 'openapi_audit', { url: `${base}/`, document_url: `${base}/openapi-elsewhere.json` }),
      scan(client, 'graphql_audit', { url: away }),
      scan(client, 'mcp_probe', { url: away }),
      ...(hasNuclei ? [scan(client, 'nuclei_scan', { url: `${base}/`, preset: 'exposures' })] : []),
    ]);
    const [, ffuf] = results;
    expect(ffuf?.findings.length).toBeGreaterThan(100);
    expect(await place.world.strays()).toEqual([]);
    expect(place.world.caught()).toEqual([]);
  });

  it('is what lies beyond a prefix or a method', { timeout: longestMs }, async () => {
    const limited = { ...quickScope, urls: [`${base}/api/`], methods: ['GET', 'HEAD', 'OPTIONS'] };
    const client = await place.client(['--scope', place.scope('limited', limited)]);
    const refused: readonly [tool: string, input: Readonly<Record<string, unknown>>][] = [
      ['ffuf_discover', { url: `${base}/FUZZ` }],
      ['ffuf_discover', { url: `${base}/apiFUZZ` }],
      ['arjun_params', { url: `${base}/admin` }],
      ['arjun_params', { url: `${base}/api/v1/filter`, method: 'POST' }],
      ['http_probe', { url: `${base}/` }],
      ['graphql_audit', { url: `${base}/graphql` }],
      ['nmap_scan', { target: target.ipv4, ports: '80', scan_type: 'service' }],
    ];
    const before = place.world.requests().length;
    for (const [tool, input] of refused) {
      const answer = await client.callTool({ name: tool, arguments: input });
      expect({ tool, input, isError: answer.isError }, textOf(answer)).toEqual({ tool, input, isError: true });
    }
    expect(place.world.requests().slice(before)).toEqual([]);
    const [, , nuclei] = await Promise.all([
      scan(client, 'http_probe', { url: `${base}/api/v1/search` }),
      scan(client, 'ffuf_discover', { url: `${base}/api/v1/FUZZ`, word_list: 'api' }),
      ...(hasNuclei ? [scan(client, 'nuclei_scan', { url: `${base}/api/v1/search`, preset: 'exposures' })] : []),
    ]);
    const arrived = place.world.requests().slice(before);
    expect(arrived.length).toBeGreaterThan(100);
    expect(arrived.filter(({ url }) => !url.startsWith('/api/')).map(({ url }) => url)).toEqual([]);
    expect(arrived.filter(({ method }) => !limited.methods.includes(method))).toEqual([]);
    if (hasNuclei) {
      const stopped = nuclei?.network.refused.map(({ because }) => because).join('\n') ?? '';
      expect(stopped).toContain('below no URL of the scope');
    }
    expect(await place.world.strays()).toEqual([]);
  });

  it('is a credential, for everybody but the target', { timeout: longestMs }, async () => {
    const credentials = [{ name: 'user', header: 'Authorization', variable: 'API_TOKEN' }];
    const client = await place.client(['--scope', place.scope('credential', { ...quickScope, credentials })]);
    const before = place.world.requests().length;
    const results = [
      await scan(client, 'ffuf_discover', { url: `${base}/api/v1/FUZZ`, word_list: 'api', credential: 'user' }),
      await scan(client, 'http_probe', { url: `${base}/api/v1/search`, credential: 'user' }),
    ];
    const arrived = place.world.requests().slice(before);
    const [byFfuf, byProbe] = [arrived.slice(0, 300), arrived.slice(-1000)];
    expect(new Set(byFfuf.map(({ authorization }) => authorization))).toEqual(new Set([secret]));
    expect(byProbe.some(({ authorization }) => authorization === secret)).toBe(true);
    const unknown = await client.callTool({
      name: 'http_probe',
      arguments: { url: `${base}/`, credential: 'admin' },
    });
    expect(unknown.isError).toBe(true);
    const value = secret.slice('Bearer '.length);
    expect(JSON.stringify([results, await client.callTool({ name: 'get_scope', arguments: {} })])).not.toContain(value);
    // Our own scanner sends it itself, so that it is in its packets and nowhere else.
    const [, { id }] = results as [ScanResult, ScanResult];
    const telling = filesBelow(place.home).filter((file) => readFileSync(file).includes(value));
    expect(telling.filter((file) => !file.includes(join(id, 'traffic.pcapng')))).toEqual([]);
  });

  it('is where a name has moved to', { timeout: longestMs }, async () => {
    expect(await place.world.strays()).toEqual([]);
    const named = { ...quickScope, targets: [name, target.ipv4, target.ipv6] };
    const client = await place.client(['--scope', place.scope('named', named)]);
    const told = await client.callTool({ name: 'get_scope', arguments: {} });
    expect(told.structuredContent).toMatchObject({
      pins: { [name]: expect.arrayContaining([target.ipv4, target.ipv6]) },
    });
    place.world.setNames({ [name]: [outOfScope[1]] });
    const before = { requests: place.world.requests().length, questions: place.world.questions().length };
    const [probed] = await Promise.all([
      scan(client, 'http_probe', { url: `http://${name}/` }),
      scan(client, 'ffuf_discover', { url: `http://${name}/FUZZ`, word_list: 'api' }),
      scan(client, 'nmap_scan', { target: name, ports: '80' }),
    ]);
    expect(probed?.findings.length).toBeGreaterThan(5);
    const hosts = place.world.requests().slice(before.requests);
    expect(hosts.filter(({ host }) => host === name).length).toBeGreaterThan(100);
    expect(place.world.questions().length).toBe(before.questions);
    const strays = await place.world.strays();
    expect(strays.filter(({ to, port }) => to !== nameserver || port !== 53)).toEqual([]);
  });
});
