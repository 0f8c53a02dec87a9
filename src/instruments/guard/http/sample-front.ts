import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { canonicalJson } from '../../../base/fingerprint.ts';
import { asObject, type JsonObject } from '../../../base/json-shape.ts';
import type { LedgerEntry } from '../../../engine/ledger/contract.ts';
import { readPolicy } from '../../../engine/policy/index.ts';
import { makeRequest } from '../../../targets/conversation/http-request.ts';
import type { GuardRecorder, MessageRule, RuleContext, RuleHit } from '../contract.ts';
import { MessageGate } from '../stream/index.ts';

/** For tests: a real server on loopback, and a real gate with rules that can be seen at work. */

const hit = (rule: string): RuleHit => ({ rule, title: rule, what: 'a rule of a test', remedy: 'none' });

export const sampleRules: readonly MessageRule[] = [
  {
    id: 'test/denied',
    title: 'refuses one tool',
    methods: ['tools/call'],
    directions: ['to-server'],
    judge: ({ value }) =>
      asObject(value.params).name === 'bad' ? { is: 'refuse', hit: hit('test/denied') } : { is: 'pass' },
  },
  {
    id: 'test/secret',
    title: 'takes a word out of results',
    methods: ['*'],
    directions: ['to-client'],
    judge: ({ value, kind }) => {
      const text = JSON.stringify(value);
      if (kind !== 'response' || !text.includes('SECRET')) return { is: 'pass' };
      const changed = JSON.parse(text.replaceAll('SECRET', 'xxx')) as JsonObject;
      return { is: 'change', value: changed, hits: [hit('test/secret')] };
    },
  },
  {
    id: 'test/sampling',
    title: 'refuses to be asked',
    methods: ['sampling/createMessage'],
    directions: ['to-client'],
    judge: () => ({ is: 'refuse', hit: hit('test/sampling') }),
  },
];

export function openSampleGate(entries: LedgerEntry[] = [], rules: readonly MessageRule[] = sampleRules): MessageGate {
  const recorder: GuardRecorder = {
    session: 's',
    ledger: { append: async (entry) => ({ sequence: entries.push(entry) - 1, leaf: '' }), hashSecret: () => '' },
  };
  const context: RuleContext = {
    server: 'sample',
    mode: 'enforce',
    policy: readPolicy('LOW').policy,
    pins: { check: () => ({ is: 'same' }), isQuarantined: () => false },
    canaries: { search: () => [] },
    instructions: 'pass',
  };
  return new MessageGate({ rules, context, recorder });
}

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface SampleInner {
  readonly url: URL;
  readonly request: ReturnType<typeof makeRequest>;
  readonly seen: readonly Seen[];
  close(): void;
}

export async function listenSample(
  answer: (seen: Seen, response: ServerResponse) => void | Promise<void>,
): Promise<SampleInner> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const chunk of request) parts.push(Buffer.from(chunk));
    const one = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
    };
    seen.push(one);
    await answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  return {
    url,
    request: makeRequest({ url }),
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The order of keys in a changed message is nobody's business. */
export function withSortedKeys(events: string): string {
  return events.replace(/^data: (\{.*\})$/gm, (_line, json: string) => `data: ${canonicalJson(JSON.parse(json))}`);
}
