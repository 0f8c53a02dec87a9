/** The parser's tree, seen as plain nodes: the front end asks for a child by name and never trusts its shape. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

export function child(node: Node, name: string): Node | undefined {
  const value = node[name];
  return isNode(value) ? value : undefined;
}

export function children(node: Node, name: string): readonly Node[] {
  const value = node[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** As `children`, with the holes of `[a, , b]` kept. */
export function slots(node: Node, name: string): readonly (Node | undefined)[] {
  const value = node[name];
  return Array.isArray(value) ? value.map((item) => (isNode(item) ? item : undefined)) : [];
}

export function text(node: Node, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

export function flag(node: Node, name: string): boolean {
  return node[name] === true;
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function isFunction(node: Node): boolean {
  return functionTypes.has(node.type);
}

/** Every direct child that is a node, whatever it is called. */
export function* inner(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) yield item;
    } else if (isNode(value)) yield value;
  }
}
