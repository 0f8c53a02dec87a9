import { child, children, is, type PyNode, stringOf, text } from './tree.ts';

/** How a server is given its handlers. `list` is no handler, but tells what the tools are for. */
export type RegistrationShape =
  | 'tool'
  | 'resource'
  | 'prompt'
  | 'call'
  | 'read'
  | 'get'
  | 'list'
  | 'request'
  | 'call-parameters'
  | 'read-parameters'
  | 'get-parameters';

const decorators: Readonly<Record<string, RegistrationShape>> = {
  tool: 'tool',
  add_tool: 'tool',
  register_tool: 'tool',
  from_function: 'tool',
  mcp_tool: 'tool',
  resource: 'resource',
  mcp_resource: 'resource',
  prompt: 'prompt',
  mcp_prompt: 'prompt',
  add_prompt: 'prompt',
  call_tool: 'call',
  read_resource: 'read',
  get_prompt: 'get',
  list_tools: 'list',
};

/** Without an object before it, only a name that says what it is for. */
const plainNames = new Set(['mcp_tool', 'mcp_resource', 'mcp_prompt']);

function shapeOf(callee: PyNode | undefined): RegistrationShape | undefined {
  const name = is(callee, 'Attribute')
    ? text(callee, 'attr')
    : is(callee, 'Name') && plainNames.has(text(callee, 'id'))
      ? text(callee, 'id')
      : '';
  return Object.hasOwn(decorators, name) ? decorators[name] : undefined;
}

export interface Registering {
  readonly shape: RegistrationShape;
  /** Where the name and the description may be given. */
  readonly options: PyNode | undefined;
  readonly handler: PyNode | undefined;
}

/** `@mcp.tool`, `@mcp.tool(…)`. */
export function registeringDecorator(node: PyNode): Registering | undefined {
  const callee = is(node, 'Call') ? child(node, 'func') : node;
  const shape = shapeOf(callee);
  return shape === undefined ? undefined : { shape, options: is(node, 'Call') ? node : undefined, handler: undefined };
}

/** `mcp.add_tool(run)`, `mcp.tool()(run)`. */
export function registeringCall(node: PyNode): Registering | undefined {
  const callee = child(node, 'func');
  const [first] = children(node, 'args');
  const named = children(node, 'keywords').find((keyword) =>
    ['fn', 'func', 'handler', 'function'].includes(text(keyword, 'arg')),
  );
  const handler = first ?? (named === undefined ? undefined : child(named, 'value'));
  if (is(callee, 'Call')) {
    const shape = shapeOf(child(callee, 'func'));
    return shape === undefined || handler === undefined ? undefined : { shape, options: callee, handler };
  }
  const shape = shapeOf(callee);
  const isFunction =
    handler !== undefined && stringOf(handler) === undefined && !is(handler, 'JoinedStr', 'Constant', 'Dict', 'List');
  // `session.call_tool(name, …)` is a client.
  const isHandedOver = shape === 'tool' || shape === 'prompt' || shape === 'resource';
  return isFunction && shape !== undefined && isHandedOver ? { shape, options: node, handler } : undefined;
}

const keywordShapes: Readonly<Record<string, RegistrationShape>> = {
  on_call_tool: 'call-parameters',
  on_read_resource: 'read-parameters',
  on_get_prompt: 'get-parameters',
  on_list_tools: 'list',
};

/** `Server('name', on_call_tool=call)`. */
export function registeringKeywords(node: PyNode): readonly Registering[] {
  return children(node, 'keywords').flatMap((keyword): Registering[] => {
    const name = text(keyword, 'arg');
    const shape = Object.hasOwn(keywordShapes, name) ? keywordShapes[name] : undefined;
    return shape === undefined ? [] : [{ shape, options: undefined, handler: child(keyword, 'value') }];
  });
}

const requests: Readonly<Record<string, RegistrationShape>> = {
  CallToolRequest: 'request',
  ReadResourceRequest: 'request',
  GetPromptRequest: 'request',
};

/** `server.request_handlers[types.CallToolRequest] = handle`. */
export function registeringAssignment(target: PyNode | undefined): Registering | undefined {
  const table = is(target, 'Subscript') ? child(target, 'value') : undefined;
  const key = is(target, 'Subscript') ? child(target, 'slice') : undefined;
  const name = is(key, 'Attribute') ? text(key, 'attr') : text(key, 'id');
  if (!is(table, 'Attribute') || text(table, 'attr') !== 'request_handlers') return undefined;
  const shape = Object.hasOwn(requests, name) ? requests[name] : undefined;
  return shape === undefined ? undefined : { shape, options: undefined, handler: undefined };
}

const hint =
  /\.(?:tool|resource|prompt|call_tool|read_resource|get_prompt|add_tool|add_prompt|register_tool)\b|\b(?:mcp_tool|mcp_resource|mcp_prompt|from_function|request_handlers|on_call_tool|on_read_resource|on_get_prompt)\b/;

/** By the look of the text; only modules for which this holds are walked for their own sake. */
export function mayRegister(source: string): boolean {
  return hint.test(source);
}
