import { parseSync } from 'oxc-parser';
import { children, inner, isFunction, isNode, type Node } from './tree.ts';

/** A text that was parsed, and what to add to a place in it to get the place in the file. */
export interface Unit {
  readonly path: string;
  readonly whole: string;
  readonly offset: number;
}

function languageOf(path: string): 'jsx' | 'ts' | 'tsx' {
  if (/\.[cm]?ts$/.test(path)) return 'ts';
  return path.endsWith('.tsx') ? 'tsx' : 'jsx';
}

/** A bundle may be a module or a script, and a script may return at its top; the text decides, not its name. */
export function parseProgram(path: string, text: string): Node | undefined {
  for (const sourceType of ['unambiguous', 'commonjs'] as const) {
    const parsed = parseSync(path, text, { lang: languageOf(path), sourceType, preserveParens: false });
    const program: unknown = parsed.program;
    if (isNode(program) && (parsed.errors.length === 0 || children(program, 'body').length > 0)) return program;
  }
  return undefined;
}

/** Where a function stands. Trees are large: this is what is kept of one until somebody calls the function. */
export interface FunctionPlace {
  readonly start: number;
  readonly end: number;
  readonly kind: 'function' | 'method' | 'constructor';
  readonly modifiers: string;
}

export function placeOfFunction(node: Node, unit: Unit, isConstructor: boolean): FunctionPlace {
  const start = node.start + unit.offset;
  const isMethod = node.type === 'FunctionExpression' && /^[(<]/.test(unit.whole.slice(start, start + 1));
  const modifiers = `${node.async === true ? 'async ' : ''}${node.generator === true ? '*' : ''}`;
  return {
    start,
    end: node.end + unit.offset,
    kind: isConstructor ? 'constructor' : isMethod ? 'method' : 'function',
    modifiers,
  };
}

const wrappings = {
  function: { before: () => '(', after: ')' },
  method: { before: (modifiers: string) => `(class extends Object{${modifiers}m`, after: '})' },
  constructor: { before: () => '(class extends Object{constructor', after: '})' },
} as const;

/** Parses one function again; its tree is as good as the first. */
export function parseFunction(
  unit: Unit,
  place: FunctionPlace,
): { readonly node: Node; readonly unit: Unit } | undefined {
  const { before, after } = wrappings[place.kind];
  const prefix = before(place.modifiers);
  const text = `${prefix}${unit.whole.slice(place.start, place.end)}${after}`;
  for (const sourceType of ['module', 'script'] as const) {
    const parsed = parseSync(unit.path, text, { lang: languageOf(unit.path), sourceType, preserveParens: false });
    const program: unknown = parsed.program;
    const node = isNode(program) ? outermostFunction(program) : undefined;
    if (node !== undefined) return { node, unit: { ...unit, offset: place.start - prefix.length } };
  }
  return undefined;
}

function outermostFunction(node: Node): Node | undefined {
  if (isFunction(node)) return node;
  for (const next of inner(node)) {
    const found = outermostFunction(next);
    if (found !== undefined) return found;
  }
  return undefined;
}
