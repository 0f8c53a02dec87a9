import type { Node } from 'web-tree-sitter';
import type { Form, Pipeline, Redirect, Step } from './contract.ts';
import { readWord } from './words.ts';

/** From the tree to pipelines that can be run without a shell; everything that cannot is told by name. */

type When = Pipeline['when'];

const needOfStatement: Readonly<Record<string, string>> = {
  subshell: 'subshell',
  compound_statement: 'group',
  if_statement: 'condition',
  while_statement: 'loop',
  for_statement: 'loop',
  c_style_for_statement: 'loop',
  case_statement: 'condition',
  function_definition: 'function',
  variable_assignment: 'assignment',
  variable_assignments: 'assignment',
  declaration_command: 'assignment',
  unset_command: 'assignment',
  test_command: 'test',
  negated_command: 'negation',
};

class Collector {
  readonly pipelines: Pipeline[] = [];
  readonly needs = new Set<string>();

  need(...names: readonly string[]): void {
    for (const name of names) this.needs.add(name);
  }
}

export function readProgram(root: Node): Form {
  const collector = new Collector();
  for (const child of root.children) {
    if (child.type === 'comment') continue;
    if (child.isNamed) readStatement(child, 'always', collector);
    else if (child.type === '&') collector.need('background');
  }
  if (collector.needs.size > 0) return { kind: 'shell', why: [...collector.needs].sort() };
  if (collector.pipelines.length === 0) return { kind: 'refused', rule: 'empty', why: 'there is no command in it' };
  return { kind: 'pipeline', pipelines: collector.pipelines };
}

/** `a && b || c` leans to the left: walked down without recursion, however long it is. */
function readList(list: Node, when: When, collector: Collector, redirects: readonly Node[]): void {
  const parts: { node: Node; when: When }[] = [];
  let node: Node = list;
  while (node.type === 'list') {
    const [left, operator, right] = node.children;
    if (left === undefined || operator === undefined || right === undefined || node.children.length !== 3) {
      collector.need('construct');
      return;
    }
    parts.push({ node: right, when: operator.type === '&&' ? 'success' : 'failure' });
    node = left;
  }
  parts.push({ node, when });
  // The grammar hangs what follows a list on the whole of it; to bash it is the last command's.
  for (const [at, part] of parts.reverse().entries()) {
    readStatement(part.node, part.when, collector, at === parts.length - 1 ? redirects : []);
  }
}

function readStatement(node: Node, when: When, collector: Collector, outer: readonly Node[] = []): void {
  const isRedirected = node.type === 'redirected_statement';
  const body = isRedirected ? node.childForFieldName('body') : node;
  const redirects = [...(isRedirected ? node.childrenForFieldName('redirect') : []), ...outer];
  if (body?.type === 'list') readList(body, when, collector, redirects);
  else if (body?.type === 'command') {
    collector.pipelines.push({ when, steps: [readStep(body, redirects, collector)] });
  } else if (body?.type === 'pipeline') readPipeline(body, when, collector, redirects);
  else collector.need(needOfStatement[body?.type ?? ''] ?? (body === null ? 'redirect' : 'construct'));
}

function readPipeline(node: Node, when: When, collector: Collector, redirects: readonly Node[]): void {
  const steps: Step[] = [];
  for (const [at, part] of node.children.entries()) {
    if (!part.isNamed) continue;
    const isRedirected = part.type === 'redirected_statement';
    const own = isRedirected ? part.childForFieldName('body') : part;
    const inner = isRedirected ? part.childrenForFieldName('redirect') : [];
    const outer = at === node.children.length - 1 ? redirects : [];
    if (own?.type === 'command') {
      const step = readStep(own, [...inner, ...outer], collector);
      steps.push(node.children[at + 1]?.type === '|&' ? { ...step, isErrorJoined: true } : step);
    } else collector.need(needOfStatement[own?.type ?? ''] ?? 'construct');
  }
  collector.pipelines.push({ when, steps });
}

function readStep(node: Node, outer: readonly Node[], collector: Collector): Step {
  const argv: string[] = [];
  const redirects: Redirect[] = [];
  let isErrorJoined = false;
  const inner: Node[] = [];
  for (const child of node.children) {
    if (child.type === 'variable_assignment') collector.need('assignment');
    else if (child.type.endsWith('_redirect')) inner.push(child);
    else if (child.isNamed || child.type === '(' || child.type === ')') {
      const word = readWord(child);
      collector.need(...word.needs);
      argv.push(word.text ?? '');
    }
  }
  for (const redirect of [...inner, ...outer]) {
    const read = readRedirect(redirect);
    if ('need' in read) collector.need(read.need);
    else if ('isJoin' in read) isErrorJoined = true;
    else {
      // After `2>&1` another target for standard output would part the two again.
      if (isErrorJoined && read.fd !== 0) collector.need('redirect');
      redirects.push({ fd: read.fd, mode: read.mode, path: read.path });
      if (read.isBoth) isErrorJoined = true;
    }
  }
  if (argv.length === 0) collector.need('redirect');
  return { argv, redirects, isErrorJoined };
}

type ReadRedirect = (Redirect & { readonly isBoth: boolean }) | { readonly need: string } | { readonly isJoin: true };

const modes: Readonly<Record<string, Redirect['mode']>> = {
  '<': 'read',
  '>': 'write',
  '>|': 'write',
  '>>': 'append',
  '&>': 'write',
  '&>>': 'append',
};

export function readRedirect(node: Node): ReadRedirect {
  if (node.type !== 'file_redirect') return { need: 'heredoc' };
  const operator = node.children.find((child) => !child.isNamed)?.type ?? '';
  const descriptor = node.childForFieldName('descriptor')?.text;
  const targets = node.childrenForFieldName('destination');
  const target = targets[0];
  if (target === undefined || targets.length > 1) return { need: 'redirect' };
  if (operator === '>&' && descriptor === '2' && target.text === '1') return { isJoin: true };
  const mode = modes[operator];
  const { text, needs } = readWord(target);
  if (mode === undefined) return { need: 'redirect' };
  if (text === null || needs.length > 0) return { need: needs[0] ?? 'construct' };
  const fd = descriptor === undefined ? (mode === 'read' ? 0 : 1) : Number(descriptor);
  return fd <= 2 ? { fd, mode, path: text, isBoth: operator.startsWith('&') } : { need: 'redirect' };
}
