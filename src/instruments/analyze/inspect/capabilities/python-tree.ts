/** The parser's tree, seen as plain nodes. */
export interface PythonNode {
  readonly nodeType: string;
  readonly lineno: number;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is PythonNode {
  return typeof value === 'object' && value !== null && typeof (value as { nodeType?: unknown }).nodeType === 'string';
}

export function nodeOf(node: PythonNode, name: string): PythonNode | undefined {
  const value = node[name];
  return isNode(value) ? value : undefined;
}

export function children(node: PythonNode, name: string): readonly PythonNode[] {
  const value = node[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function textOf(node: PythonNode, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

export function* inner(node: PythonNode): Generator<PythonNode> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) yield item;
    } else if (isNode(value)) yield value;
  }
}
