import { children, type Node } from '../taint/javascript/tree.ts';
import { type Context, type JavaScriptRefs, keyOf } from './javascript-ref.ts';
import type { FileFacts, Ref } from './ref.ts';

const describing = ['annotations', 'inputSchema', 'parameters', 'handler', 'execute'];
const handling = ['handler', 'execute', 'run', 'callback', 'handle', 'call', 'invoke', 'fn'];
export const registering = /^(?:registerTool|tool|addTool|registerAppTool|registerToolTask|defineTool|createTool)$/;

/** The name may be a constant that stands elsewhere, so it is looked for later. */
export function noteRegistration(file: FileFacts, args: readonly Ref[], line: number): void {
  const handler = args.length > 1 ? args.at(-1) : undefined;
  if (handler === undefined) return;
  file.described.push({ names: args.slice(0, 2), about: args.slice(1, -1), handler, line });
}

const otherRequests = /List|Read|Subscribe|Complete|SetLevel|Ping|Prompt|Resource|Initialize/;

/** Names of requests are gone from minified code: then every handler of one may be the one for tools. */
export function noteDispatcher(file: FileFacts, args: readonly Ref[]): void {
  const [request, handler] = args;
  const name =
    request?.kind === 'name' || request?.kind === 'member'
      ? request.name
      : request?.kind === 'text'
        ? request.text
        : '';
  if (handler !== undefined && !otherRequests.test(name) && !/\/list$/.test(name)) file.dispatchers.push(handler);
}

export function noteDescription(file: FileFacts, refs: JavaScriptRefs, node: Node, context: Context): void {
  const keys = new Set(
    children(node, 'properties')
      .slice(0, 40)
      .map((property) => keyOf(property)),
  );
  if (!keys.has('name') || !describing.some((key) => keys.has(key))) return;
  const ref = refs.of(node, context);
  if (ref.kind !== 'object') return;
  const handler = handling.map((key) => ref.fields.get(key)).find((one) => one !== undefined);
  const name = ref.fields.get('name');
  file.described.push({ names: name === undefined ? [] : [name], about: [ref], handler, line: refs.lineOf(node) });
}
