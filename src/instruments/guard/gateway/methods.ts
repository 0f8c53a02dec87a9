import { asObject, asString, type JsonObject } from '../../../base/json-shape.ts';
import { type ForwardContext, forward, resultOrThrow } from './forward.ts';
import { type Labelled, splitName, splitUri } from './labels.ts';
import { listKinds, type MergedLists } from './merged-lists.ts';
import { codes, type RequestId, RpcError } from './rpc.ts';
import type { ServerLink } from './server-link.ts';
import type { Subscriptions } from './subscriptions.ts';

/** What a client may ask for, once it has said hello. */

export interface MethodContext extends ForwardContext {
  readonly id: RequestId;
  readonly links: readonly ServerLink[];
  readonly lists: MergedLists;
  readonly subscriptions: Subscriptions;
}

/** Null is an answer that comes later, or never. */
type Method = (params: JsonObject, context: MethodContext) => Promise<JsonObject | null>;

/** @throws RpcError that says whose it was, where that is known. */
function find(labelled: Labelled | null, what: string, { links }: MethodContext): { link: ServerLink; own: string } {
  const link = labelled === null ? undefined : links.find(({ label }) => label === labelled.label);
  if (labelled === null || link === undefined) throw new RpcError(codes.invalidParams, `there is no such ${what}`);
  const { state } = link;
  if (state.is === 'starting') {
    throw new RpcError(codes.internal, `server ${JSON.stringify(link.name)} is still starting: try again`);
  }
  if (state.is === 'lost') {
    throw new RpcError(
      codes.internal,
      `server ${JSON.stringify(link.name)} is gone: ${state.because}; the other servers go on`,
    );
  }
  return { link, own: labelled.own };
}

const byName =
  (method: string, what: string): Method =>
  (params, context) => {
    const { link, own } = find(splitName(asString(params.name) ?? ''), what, context);
    return forward(link, method, { ...params, name: own }, context);
  };

const findResource = (params: JsonObject, context: MethodContext) =>
  find(splitUri(asString(params.uri) ?? ''), 'resource', context);

async function complete(params: JsonObject, context: MethodContext): Promise<JsonObject> {
  const ref = asObject(params.ref);
  const isPrompt = ref.type === 'ref/prompt';
  const { link, own } = isPrompt
    ? find(splitName(asString(ref.name) ?? ''), 'prompt', context)
    : findResource(ref, context);
  return forward(
    link,
    'completion/complete',
    { ...params, ref: { ...ref, [isPrompt ? 'name' : 'uri']: own } },
    context,
  );
}

async function setLevel(params: JsonObject, { links, limits }: MethodContext): Promise<JsonObject> {
  const asked = links.filter((link) => link.offers('logging') && !link.isModern);
  const replies = await Promise.all(
    asked.map(async (link) => ({
      link,
      reply: await link.ask('logging/setLevel', params, { timeoutMs: limits.listMs }),
    })),
  );
  // One that took it is enough: the others say less or more than asked, and nobody else suffers.
  const [first] = replies;
  if (first !== undefined && replies.every(({ reply }) => reply.is !== 'result'))
    resultOrThrow(first.link, first.reply);
  return {};
}

export const methods: Readonly<Record<string, Method>> = {
  ...Object.fromEntries(
    listKinds.map((kind) => [
      kind.method,
      (params: JsonObject, { lists, links, hello }: MethodContext) => lists.list(kind, links, params, hello),
    ]),
  ),
  'tools/call': byName('tools/call', 'tool'),
  'prompts/get': byName('prompts/get', 'prompt'),
  'completion/complete': complete,
  'logging/setLevel': setLevel,
  async 'resources/read'(params, context) {
    const { link, own } = findResource(params, context);
    return forward(link, 'resources/read', { ...params, uri: own }, context);
  },
  async 'resources/subscribe'(params, context) {
    const { link, own } = findResource(params, context);
    await context.subscriptions.watch(link, own, context.hello);
    return {};
  },
  async 'resources/unsubscribe'(params, context) {
    const { link, own } = findResource(params, context);
    await context.subscriptions.unwatch(link, own);
    return {};
  },
  async 'subscriptions/listen'(params, { id, hello, links, subscriptions }) {
    subscriptions.open(id, params, hello, (label) => links.find((link) => link.label === label && link.isReady));
    return null;
  },
};
