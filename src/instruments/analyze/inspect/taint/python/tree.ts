/** The parser's tree, seen as plain nodes: the front end asks for a child by name and never trusts its shape. */
export interface PyNode {
  readonly nodeType: string;
  readonly lineno?: number;
  readonly col_offset?: number;
  readonly end_lineno?: number;
  readonly end_col_offset?: number;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is PyNode {
  return typeof value === 'object' && value !== null && typeof (value as { nodeType?: unknown }).nodeType === 'string';
}

export function child(node: PyNode | undefined, name: string): PyNode | undefined {
  const value = node?.[name];
  return isNode(value) ? value : undefined;
}

export function children(node: PyNode | undefined, name: string): readonly PyNode[] {
  const value = node?.[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** As `children`, with the holes kept: `{**rest}` has no key there. */
export function slots(node: PyNode, name: string): readonly (PyNode | undefined)[] {
  const value = node[name];
  return Array.isArray(value) ? value.map((item) => (isNode(item) ? item : undefined)) : [];
}

export function text(node: PyNode | undefined, name: string): string {
  const value = node?.[name];
  return typeof value === 'string' ? value : '';
}

/** The kind of a node; `is(undefined, …)` is false. */
export function is(node: PyNode | undefined, ...kinds: readonly string[]): node is PyNode {
  return node !== undefined && kinds.includes(node.nodeType);
}

/** Every direct child that is a node, whatever it is called. */
export function* inner(node: PyNode): Generator<PyNode> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) yield item;
    } else if (isNode(value)) yield value;
  }
}

/** `a.b.c` of names and attributes, or undefined for anything else. */
export function dotted(node: PyNode | undefined): string | undefined {
  if (is(node, 'Name')) return text(node, 'id');
  if (!is(node, 'Attribute')) return undefined;
  const before = dotted(child(node, 'value'));
  return before === undefined ? undefined : `${before}.${text(node, 'attr')}`;
}

export function stringOf(node: PyNode | undefined): string | undefined {
  return is(node, 'Constant') && typeof node.value === 'string' ? node.value : undefined;
}

const functions = new Set(['FunctionDef', 'AsyncFunctionDef']);

export function isFunction(node: PyNode): boolean {
  return functions.has(node.nodeType);
}

/** Offsets in a text from lines and columns; the parser counts columns in bytes. */
export class Offsets {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(source: string) {
    this.#text = source;
    for (const match of source.matchAll(/\r\n|\r|\n/g)) this.#starts.push(match.index + match[0].length);
  }

  at(node: PyNode | undefined): number {
    return this.#offset(node?.lineno, node?.col_offset);
  }

  end(node: PyNode): number {
    return node.end_lineno === undefined ? this.#text.length : this.#offset(node.end_lineno, node.end_col_offset);
  }

  #offset(line: number | undefined, column: number | undefined): number {
    const start = this.#starts[(line ?? 1) - 1] ?? this.#text.length;
    const before = this.#text.slice(start, start + (column ?? 0));
    if (Buffer.byteLength(before) === before.length) return start + before.length;
    return start + Buffer.from(before).subarray(0, column).toString('utf8').length;
  }
}
