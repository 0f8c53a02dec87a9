import type { Severity } from '../../../base/finding-schema.ts';
import type { RuleText } from '../../../evidence/rule-text.ts';

/** What a trial can prove of a tool, one rule per class of trials; and the same as an ability, where the tool is for it. */

interface Text {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: readonly string[];
  readonly what: string;
  readonly why: string;
  readonly remediation: string;
  readonly fires: string;
  readonly silent: string;
  /** What a tool can do that does it on purpose. */
  readonly ability: string;
}

const texts = {
  'command-injection': {
    title: 'A value reaches a shell and is obeyed',
    severity: 'critical',
    cwe: ['CWE-78'],
    what: 'A value with a command in it was passed to a tool, and the command was carried out: a file came to be whose name only a shell could compute.',
    why: 'Whoever writes the value runs commands as the server: another page, another mail, another tool is enough.',
    remediation:
      'Start programs without a shell, with a list of arguments; allow only members of a fixed list where that cannot be.',
    fires: 'folder = "docs; touch MARK" leaves the file MARK.',
    silent: 'The value comes back in an error message.',
    ability: 'Runs the commands that it is given',
  },
  'argument-injection': {
    title: 'A value becomes an option of a program',
    severity: 'high',
    cwe: ['CWE-88'],
    what: 'A value that begins with a hyphen was passed to a tool, and a program got it as a word where it reads options.',
    why: 'Options of many programs write files or run commands.',
    remediation: 'Put -- before values, or refuse what begins with a hyphen.',
    fires: 'git is started with --output=FILE as a revision.',
    silent: 'git is started with -- before the value.',
    ability: 'Passes on the options that it is given',
  },
  'path-traversal': {
    title: 'A path leads out of where the tool may go',
    severity: 'high',
    cwe: ['CWE-22'],
    what: 'A path to a file outside of the folder that the server was given was passed to a tool, and the file was opened, or its planted token came back.',
    why: 'Files of the user, keys among them, can be read or written through the tool.',
    remediation:
      'Resolve paths with realpath, links included, and compare them with the resolved folder and a separator at its end.',
    fires: 'name = "../private/ledger.txt" answers with the token of that file.',
    silent: 'The tool answers that the path is not allowed.',
    ability: 'Opens every path that it is given',
  },
  ssrf: {
    title: 'A tool fetches what only its own machine can reach',
    severity: 'high',
    cwe: ['CWE-918'],
    what: 'An address of the machine itself, of its network or of the metadata of a cloud was passed to a tool, and it was connected to.',
    why: 'Services inside of a network answer to those who are inside. The metadata of a cloud hands out credentials.',
    remediation:
      'Allow a list of hosts. Where any host must do, check the resolved address in both families, connect to what was checked, and check redirects again.',
    fires: 'url = "http://127.0.0.1:8070/" is connected to.',
    silent: 'The name is looked up and refused.',
    ability: 'Fetches every address that it is given, those of its own network included',
  },
  'sql-injection': {
    title: 'A value changes the statement that is sent to a database',
    severity: 'high',
    cwe: ['CWE-89', 'CWE-943'],
    what: 'A value with a piece of a statement in it was passed to a tool, and the database computed what stands in it, or gave out a row that nobody asked for.',
    why: 'Everything in the database can be read or changed through the tool.',
    remediation: 'Use parameters. For names of tables and columns compare with a fixed list.',
    fires: 'name = "x\' UNION SELECT 12345*23456 --" answers with the product.',
    silent: 'The value is searched for as it is.',
    ability: 'Runs the statements that it is given',
  },
  template: {
    title: 'A value is rendered as a template',
    severity: 'high',
    cwe: ['CWE-1336'],
    what: 'A value with an expression of a template in it was passed to a tool, and the answer holds what the engine computed.',
    why: 'Most engines can run code.',
    remediation: 'Keep templates in the package, and give values as data.',
    fires: 'text = "{{12345*23456}}" answers with the product.',
    silent: 'text = "{{12345*23456}}" comes back as it is.',
    ability: 'Renders the templates that it is given',
  },
  'code-eval': {
    title: 'A value is evaluated as code',
    severity: 'critical',
    cwe: ['CWE-95'],
    what: 'A value with code in it was passed to a tool, and the code ran: it left a file whose name it had to compute.',
    why: 'Code of the caller runs inside of the server.',
    remediation: 'Parse what is needed instead of evaluating it.',
    fires: 'expression = code that writes MARK leaves the file MARK.',
    silent: 'expression = "2*3" answers with 6.',
    ability: 'Runs the code that it is given',
  },
  xxe: {
    title: 'An XML parser follows external entities',
    severity: 'high',
    cwe: ['CWE-611'],
    what: 'A document with an external entity was passed to a tool, and the file or the host that the entity names was asked for.',
    why: 'Files can be read and hosts contacted through a document.',
    remediation: 'Switch document types and external entities off in the parser.',
    fires: 'A document that names http://HOST/ makes the server ask for HOST.',
    silent: 'The entity stays unresolved.',
    ability: 'Resolves the entities of documents that it is given',
  },
  deserialisation: {
    title: 'Data becomes objects that act',
    severity: 'critical',
    cwe: ['CWE-502'],
    what: 'Data of a format that carries code was passed to a tool, and the code ran.',
    why: 'Reading the data is running it.',
    remediation: 'Use JSON and a schema.',
    fires: 'A pickle that writes MARK leaves the file MARK.',
    silent: 'The data is refused, or read as JSON.',
    ability: 'Unpacks objects with code that it is given',
  },
  'prototype-pollution': {
    title: 'Keys of a value reach the prototype of all objects',
    severity: 'medium',
    cwe: ['CWE-1321'],
    what: 'A value with the key __proto__ was passed to a tool, and the next process was started with what stood under it.',
    why: 'Options of everything that runs afterwards can be chosen, commands included.',
    remediation: 'Copy values into objects without a prototype, and refuse such keys.',
    fires: 'A process is started under a name that only the value holds.',
    silent: 'The key is dropped.',
    ability: 'Merges every key that it is given',
  },
  exhaustion: {
    title: 'A small value makes the server work for very long',
    severity: 'medium',
    cwe: ['CWE-1333', 'CWE-400'],
    what: 'A value took many times as long as another one of the same length.',
    why: 'One call stops the server for everybody.',
    remediation: 'Bound the length of values and the time of work; use an engine for patterns that cannot backtrack.',
    fires: 'A text of 30 letters takes a minute where another takes a millisecond.',
    silent: 'Both take as long.',
    ability: 'Works as long as it is asked to',
  },
  crlf: {
    title: 'A line break in a value starts a new header',
    severity: 'medium',
    cwe: ['CWE-93'],
    what: 'A value with a line break was passed to a tool, and the request that left the server had a header which only the value names.',
    why: 'Headers decide who is asked and as whom.',
    remediation: 'Refuse line breaks in whatever becomes part of a header.',
    fires: 'A request arrives with the header x-mark.',
    silent: 'The value arrives with its line break encoded.',
    ability: 'Sends the headers that it is given',
  },
  'unicode-smuggling': {
    title: 'Characters turn into others after they were checked',
    severity: 'medium',
    cwe: ['CWE-176'],
    what: 'A value with characters that look alike passed a check, and became a path or a command that the check would have refused.',
    why: 'The check looks at another text than the one that is used.',
    remediation: 'Normalise first, check afterwards, and use what was checked.',
    fires: 'Full-width dots and slashes open a file outside of the root.',
    silent: 'The file of that odd name does not exist.',
    ability: 'Normalises what it is given',
  },
  xss: {
    title: 'A value comes back as active markup',
    severity: 'low',
    cwe: ['CWE-79'],
    what: 'A value with markup in it set something off when it was rendered.',
    why: 'Clients that show answers as HTML run what stands in it.',
    remediation: 'Escape values where they become part of a page.',
    fires: 'A page that the server renders asks for a host that only the value names.',
    silent: 'The value comes back as text.',
    ability: 'Renders the markup that it is given',
  },
  'prompt-injection': {
    title: 'A value that instructs a model is acted on',
    severity: 'medium',
    cwe: ['CWE-1427'],
    what: 'A value with an instruction in it was passed to a tool, and what the instruction asks for happened.',
    why: 'A model behind the tool obeys whoever writes the value.',
    remediation: 'Keep values apart from instructions, and let the model behind the tool do nothing of consequence.',
    fires: 'The host that the instruction names is asked for.',
    silent: 'The instruction comes back as text.',
    ability: 'Hands instructions on',
  },
} as const satisfies Readonly<Record<string, Text>>;

export type WeaknessClass = keyof typeof texts;

function weaknessRule(kind: string, { ability: _, ...text }: Text): RuleText {
  return { ...text, id: `weakness/${kind}`, axis: 'weakness', owasp: ['MCP05'] };
}

function abilityRule(kind: string, { ability, cwe, remediation: _, fires }: Text): RuleText {
  return {
    id: `ability/${kind}`,
    title: ability,
    severity: 'info',
    axis: 'exposure',
    cwe,
    owasp: ['MCP02'],
    what: `A trial showed that a tool can do it, and its name, its description or its schema says that it is there for it. ${ability}.`,
    why: 'It is no mistake of the code. It is a capability that whoever steers the model has as well.',
    remediation: 'Run such a server in a box, with the least that it needs.',
    fires: `${fires} The tool says that it does so.`,
    silent: 'The same of a tool that says otherwise: that is a weakness.',
  };
}

const entries: readonly (readonly [string, Text])[] = Object.entries(texts);

export const weaknessRules: ReadonlyMap<string, RuleText> = new Map(
  entries.map(([kind, text]) => [kind, weaknessRule(kind, text)]),
);

export const abilityRules: ReadonlyMap<string, RuleText> = new Map(
  entries.map(([kind, text]) => [kind, abilityRule(kind, text)]),
);
