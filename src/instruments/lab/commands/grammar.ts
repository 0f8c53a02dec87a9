import { createRequire } from 'node:module';
import { Language, type Node, Parser, type Tree } from 'web-tree-sitter';

/** The grammar of bash, compiled to WebAssembly; loaded when a command is first read. */

export interface Grammar {
  /** Null: it took too long. */
  readonly parse: (line: string) => Tree | null;
  readonly close: () => void;
}

const mostMilliseconds = 1_000;

export async function loadGrammar(): Promise<Grammar> {
  const require = createRequire(import.meta.url);
  await Parser.init({ locateFile: () => require.resolve('web-tree-sitter/web-tree-sitter.wasm') });
  const language = await Language.load(require.resolve('tree-sitter-bash/tree-sitter-bash.wasm'));
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    parse: (line) => {
      const until = performance.now() + mostMilliseconds;
      return parser.parse(line, null, { progressCallback: () => performance.now() > until });
    },
    close: () => parser.delete(),
  };
}

/** Every node, outermost first, without recursion; null when the tree is deeper or larger than allowed. */
export function walkTree(root: Node, mostDepth: number, mostNodes: number): readonly Node[] | null {
  const nodes: Node[] = [];
  let level: Node[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes.push(...level);
    if (depth > mostDepth || nodes.length > mostNodes) return null;
    level = level.flatMap((node) => node.children);
  }
  return nodes;
}
