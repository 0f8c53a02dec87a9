/**
 * What a model may put into a hostile value. Each stands for something harmless that leaves a mark in the world, and
 * borrows its oracles from a payload of the class files: a model words the way in, and never what counts as proof.
 */

export interface Placeholder {
  readonly name: string;
  /** With the holes of the class files. */
  readonly fills: string;
  /** For the model. */
  readonly says: string;
  /** Per class the payload whose oracles it borrows. Without any it proves nothing by itself. */
  readonly like: Readonly<Record<string, string>>;
}

export const placeholders: readonly Placeholder[] = [
  {
    name: 'marker_command',
    fills: 'touch [[temporary]]/hc$(([[a]]*[[b]]))',
    says: 'a command for a POSIX shell that makes an empty file',
    like: {
      'command-injection': 'substitution',
      'argument-injection': 'git-upload-pack',
      'code-eval': 'python-import',
      deserialisation: 'yaml-python',
    },
  },
  {
    name: 'marker_file',
    fills: '[[temporary]]/[[token]]',
    says: 'the path of a file that is not there, for an option that writes one',
    like: { 'argument-injection': 'git-output' },
  },
  {
    name: 'javascript_path',
    fills: "'[[temporary]]/hc'+[[a]]*[[b]]",
    says: 'a JavaScript expression: the path of a file that is not there, to be written',
    like: { 'code-eval': 'javascript', deserialisation: 'node-serialize' },
  },
  {
    name: 'python_path',
    fills: "'[[temporary]]/hc'+str([[a]]*[[b]])",
    says: 'a Python expression: the path of a file that is not there, to be written',
    like: { 'code-eval': 'python' },
  },
  {
    name: 'multiply',
    fills: '[[a]]*[[b]]',
    says: 'a product that is to be evaluated inside a statement or a template',
    like: { 'sql-injection': 'union-one', template: 'double-braces' },
  },
  {
    name: 'outside_file',
    fills: '[[outsideFile]]',
    says: 'the absolute path of a file outside of where the tool may go',
    like: { 'path-traversal': 'up', xxe: 'file', 'argument-injection': 'grep-file' },
  },
  {
    name: 'outside_tail',
    fills: '[[outsideTail]]',
    says: 'the same path without the slash at its beginning',
    like: { 'path-traversal': 'up', 'unicode-smuggling': 'wide-path' },
  },
  {
    name: 'outside_folder',
    fills: '[[outsideFolder]]',
    says: 'the absolute path of the folder that this file is in',
    like: { 'path-traversal': 'up-folder' },
  },
  {
    name: 'loopback_port',
    fills: '[[port]]',
    says: 'a port of a service that only the machine itself should reach',
    like: { ssrf: 'loopback', 'unicode-smuggling': 'circled-address' },
  },
  {
    name: 'marker_host',
    fills: '[[token]].[[domain]]',
    says: 'a host name that nothing else asks for',
    like: { ssrf: 'another-host', xxe: 'host', xss: 'element' },
  },
  { name: 'marker_header', fills: 'x-[[token]]', says: 'the name of a header', like: { crlf: 'header' } },
  { name: 'up', fills: '[[up]]', says: '../ often enough to reach the root, without a slash at its end', like: {} },
  { name: 'honest', fills: '[[honest]]', says: 'a value that is right for the parameter', like: {} },
];

const byName: ReadonlyMap<string, Placeholder> = new Map(placeholders.map((each) => [each.name, each]));
const pattern = /\{\{([a-z_]{2,32})\}\}/g;

/** The placeholders in a text, each once. What is in braces and not of the set is text like any other. */
export function placeholdersIn(text: string): readonly Placeholder[] {
  const names = new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name));
  return [...names].flatMap((name) => byName.get(name) ?? []);
}

export function replacePlaceholders(text: string, replace: (placeholder: Placeholder) => string): string {
  return text.replace(pattern, (whole, name: string) => {
    const known = byName.get(name);
    return known === undefined ? whole : replace(known);
  });
}

/** Classes in which a value can prove something. */
export function hostileClassNames(classes: readonly string[]): readonly string[] {
  return classes.filter((name) => placeholders.some(({ like }) => Object.hasOwn(like, name)));
}
