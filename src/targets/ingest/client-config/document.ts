import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { LineCounter, parseDocument } from 'yaml';
import { describeError } from '../../../base/errors.ts';

/** A parsed config file, whatever its language. */
export interface ReadDocument {
  readonly value: unknown;
  readonly problems: readonly { readonly what: string; readonly line?: number }[];
  lineOf(keys: readonly (string | number)[]): number | undefined;
}

function countLines(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** As an ordinary value; `__proto__` is a key like any other. */
function valueIn(node: Node | undefined): unknown {
  if (node?.type === 'array') return (node.children ?? []).map(valueIn);
  if (node?.type !== 'object') return node?.value;
  const record: Record<string, unknown> = Object.create(null);
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (typeof key?.value === 'string') record[key.value] = valueIn(value);
  }
  return record;
}

/** Comments and trailing commas are fine; what is wrong is told, and the rest is read all the same. */
function readJson(text: string): ReadDocument {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  return {
    value: valueIn(tree),
    problems: errors.slice(0, 10).map(({ error, offset }) => ({
      what: `not valid JSON: ${printParseErrorCode(error)}`,
      line: countLines(text, offset),
    })),
    lineOf(keys) {
      const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...keys]);
      return node === undefined ? undefined : countLines(text, node.parent?.offset ?? node.offset);
    },
  };
}

function readYaml(text: string): ReadDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  const problems = document.errors.slice(0, 10).map(({ code, pos }) => ({
    what: `not valid YAML: ${code}`,
    line: Math.max(1, lines.linePos(pos[0]).line),
  }));
  return {
    value: document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 }),
    problems,
    lineOf: () => undefined,
  };
}

function readToml(text: string): ReadDocument {
  return { value: parseToml(text), problems: [], lineOf: () => undefined };
}

const readers: readonly { readonly ending: RegExp; readonly language: string; read(text: string): ReadDocument }[] = [
  { ending: /\.toml$/i, language: 'TOML', read: readToml },
  { ending: /\.ya?ml$/i, language: 'YAML', read: readYaml },
  { ending: /(?:)/, language: 'JSON', read: readJson },
];

/** Never throws: a file that cannot be read is a document without a value and with a problem. */
export function readDocument(path: string, text: string): ReadDocument {
  const reader = readers.find(({ ending }) => ending.test(path));
  try {
    return reader?.read(text.replace(/^\ufeff/, '')) ?? { value: undefined, problems: [], lineOf: () => undefined };
  } catch (error) {
    const line = typeof error === 'object' && error !== null && 'line' in error ? Number(error.line) : undefined;
    const why =
      error instanceof RangeError ? 'it is nested too deeply' : (describeError(error).split(/[:\n]/)[0] ?? '');
    const what = `not valid ${reader?.language ?? 'text'}: ${why.slice(0, 100)}`;
    return { value: undefined, problems: [line === undefined ? { what } : { what, line }], lineOf: () => undefined };
  }
}
