import type { Rule } from '../rule.ts';

/** The rules of the taint analysis. An example is a whole server; both are run by the tests. */

const server = (body: string) =>
  `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { exec, execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
const server = new McpServer({ name: 'example', version: '1.0.0' });
${body}
`;

const tool = (name: string, parameter: string, body: string, schema = 'z.string()') =>
  server(
    `server.registerTool('${name}', { inputSchema: { ${parameter}: ${schema} } }, async ({ ${parameter} }) => { ${body} });`,
  );

type Flow = Omit<Rule<string>, 'axis' | 'title' | 'id'> & { readonly title: string };

const flows = {
  'taint/command-injection': {
    title: 'An argument reaches a shell',
    severity: 'critical',
    cwe: ['CWE-78'],
    owasp: ['MCP05'],
    what: 'Text of a tool argument in a command that a shell reads, without quoting that holds.',
    why: 'A shell runs what stands after `;`, inside `$( )` or between backticks. Whoever writes the argument runs commands as the server.',
    remediation:
      'Start the program without a shell: execFile or spawn with a list of arguments and no `shell` option. Where a shell must be, allow only members of a fixed list.',
    fires: tool('list', 'folder', 'exec(`ls ${folder}`);'),
    silent: tool('list', 'folder', "execFile('ls', ['--', folder]);"),
  },
  'taint/command-execution': {
    title: 'A tool runs the commands that it is given',
    severity: 'medium',
    cwe: ['CWE-78'],
    owasp: ['MCP05'],
    what: 'A tool whose declared purpose is to run a command, and an argument that is that command.',
    why: 'It is not a mistake in the code; it is a capability that whoever steers the model has as well.',
    remediation: 'Run such a server in a box only, with the least it needs.',
    fires: tool('run_command', 'command', 'exec(command);'),
    silent: tool('run_command', 'command', 'exec(command);', "z.enum(['status', 'log'])"),
  },
  'taint/argument-injection': {
    title: 'An argument can become an option of a program',
    severity: 'medium',
    cwe: ['CWE-88'],
    owasp: ['MCP05'],
    what: 'A tool argument as an element of an argument list, where it may begin with a dash and nothing ends the options before it.',
    why: 'Options of many programs write files or run commands: `git --upload-pack=…`, `tar --checkpoint-action=…`.',
    remediation: 'Put `--` before it, or refuse what begins with a dash.',
    fires: tool('clone', 'repository', "execFile('git', ['clone', repository]);"),
    silent: tool('clone', 'repository', "execFile('git', ['clone', '--', repository]);"),
  },
  'taint/path-traversal': {
    title: 'An argument chooses a file outside of the folder meant for it',
    severity: 'high',
    cwe: ['CWE-22'],
    owasp: ['MCP05'],
    what: 'A tool argument in a path that is opened, without a check that keeps the path below a folder. A check that has no separator, or that only looks for "..", is not one.',
    why: 'Files of the user, keys among them, can be read or written through the tool.',
    remediation: 'Resolve the path with realpath, and compare it with the resolved folder and a separator at its end.',
    fires: tool('read_note', 'name', "return fs.readFile(path.join('/srv/notes', name), 'utf8');"),
    silent: tool('read_note', 'name', "return fs.readFile(path.join('/srv/notes', path.basename(name)), 'utf8');"),
  },
  'taint/path-symlink': {
    title: 'A path is checked before links are followed',
    severity: 'medium',
    cwe: ['CWE-59'],
    owasp: ['MCP05'],
    what: 'A path that is compared with a folder as text, and then opened, which follows symbolic links.',
    why: 'A link inside of the folder leads to any file of the machine.',
    remediation: 'Resolve the path with realpath before the check, and open what was resolved.',
    fires: tool(
      'read',
      'name',
      "const root = process.argv[2]; const full = path.resolve(root, name); if (!full.startsWith(root + path.sep)) throw new Error('no'); return fs.readFile(full);",
    ),
    silent: tool(
      'read',
      'name',
      "const root = process.argv[2]; const full = await fs.realpath(path.resolve(root, name)); if (!full.startsWith(root + path.sep)) throw new Error('no'); return fs.readFile(full);",
    ),
  },
  'taint/ssrf': {
    title: 'An argument chooses the host of a request',
    severity: 'high',
    cwe: ['CWE-918'],
    owasp: ['MCP05'],
    what: 'A tool argument that decides the host of a request. A tool that is meant to fetch any address is told with a lower severity.',
    why: 'The server stands inside of a network: its own services, the cloud’s metadata and the machines beside it answer to it.',
    remediation:
      'Allow a list of hosts. Where any host must do, resolve the name, refuse addresses of the local network in both families, and connect to the address that was checked.',
    fires: tool('get_page', 'url', 'return fetch(url);'),
    silent: tool('get_user', 'id', 'return fetch(`https://api.example.com/users/${encodeURIComponent(id)}`);'),
  },
  'taint/sql-injection': {
    title: 'An argument is put into a statement as text',
    severity: 'high',
    cwe: ['CWE-89'],
    owasp: ['MCP05'],
    what: 'A tool argument inside of the text of an SQL statement.',
    why: 'A quote in the argument ends the literal, and what follows is part of the statement.',
    remediation: 'Use parameters. For names of tables and columns, compare with a fixed list.',
    fires: tool('find', 'name', "return db.query(`SELECT * FROM users WHERE name = '${name}'`);"),
    silent: tool('find', 'name', "return db.query('SELECT * FROM users WHERE name = $1', [name]);"),
  },
  'taint/sql-statement': {
    title: 'A tool runs the statements that it is given',
    severity: 'medium',
    cwe: ['CWE-89'],
    owasp: ['MCP05'],
    what: 'A tool argument that is a whole SQL statement.',
    why: 'Text cannot be kept read-only by a transaction around it: `COMMIT; DROP …` ends the transaction first.',
    remediation: 'Connect as a database user that may only read, and allow one statement per call.',
    fires: tool('query', 'sql', 'return db.query(sql);'),
    silent: tool('query', 'table', "return db.query('SELECT * FROM t WHERE id = $1', [table]);"),
  },
  'taint/code-injection': {
    title: 'An argument is run as code',
    severity: 'critical',
    cwe: ['CWE-94'],
    owasp: ['MCP05'],
    what: 'A tool argument in text that is evaluated.',
    why: 'Code of the caller runs inside of the server. The vm module is no boundary.',
    remediation: 'Parse what is needed instead of evaluating it.',
    fires: tool('compute', 'amount', 'return eval(`1 + ${amount}`);'),
    silent: tool('compute', 'amount', 'return eval(`1 + ${amount}`);', 'z.number()'),
  },
  'taint/code-execution': {
    title: 'A tool runs the code that it is given',
    severity: 'medium',
    cwe: ['CWE-94'],
    owasp: ['MCP05'],
    what: 'A tool whose declared purpose is to run code, and an argument that is that code.',
    why: 'It is a capability that whoever steers the model has as well.',
    remediation: 'Run such a server in a box only, with the least it needs.',
    fires: tool('run_code', 'code', 'return eval(code);'),
    silent: tool('run_code', 'code', 'return eval(code);', "z.enum(['1', '2'])"),
  },
  'taint/module-injection': {
    title: 'An argument chooses the module that is loaded',
    severity: 'high',
    cwe: ['CWE-829'],
    owasp: ['MCP05'],
    what: 'A tool argument in the name of a module.',
    why: 'Loading a module runs it.',
    remediation: 'Look the module up in a fixed table.',
    fires: tool('load', 'plugin', 'return import(plugin);'),
    silent: tool('load', 'plugin', 'return import(`./plugins/${plugin}.js`);', "z.enum(['a', 'b'])"),
  },
  'taint/deserialisation': {
    title: 'An argument is read with a format that carries code',
    severity: 'high',
    cwe: ['CWE-502'],
    owasp: ['MCP05'],
    what: 'A tool argument given to a reader that restores functions or classes.',
    why: 'Reading it runs what it carries.',
    remediation: 'Use JSON and a schema.',
    fires: `import serialize from 'node-serialize';\n${tool('restore', 'state', 'return serialize.unserialize(state);')}`,
    silent: tool('restore', 'state', 'return JSON.parse(state);'),
  },
  'taint/template-injection': {
    title: 'An argument is compiled as a template',
    severity: 'high',
    cwe: ['CWE-1336'],
    owasp: ['MCP05'],
    what: 'A tool argument that is the text of a template, not data for one.',
    why: 'Templates of most engines can run code.',
    remediation: 'Keep templates in the package, and give arguments as data.',
    fires: `import ejs from 'ejs';\n${tool('show', 'text', 'return ejs.render(text, {});')}`,
    silent: `import ejs from 'ejs';\n${tool('show', 'text', "return ejs.render('<%= text %>', { text });")}`,
  },
  'taint/regex-injection': {
    title: 'An argument is compiled as a regular expression',
    severity: 'low',
    cwe: ['CWE-1333'],
    owasp: ['MCP05'],
    what: 'A tool argument that is a regular expression.',
    why: 'Some expressions take for ever on some text, and the server does nothing else meanwhile.',
    remediation: 'Escape it, or use an engine that cannot backtrack.',
    fires: tool('search', 'pattern', 'return new RegExp(pattern).test(process.title);'),
    silent: tool('search', 'pattern', 'return process.title.includes(pattern);'),
  },
} as const satisfies Readonly<Record<string, Flow>>;

export type TaintRuleId = keyof typeof flows;

function define(id: TaintRuleId): Rule<never> {
  return { ...flows[id], id, axis: 'weakness' } as unknown as Rule<never>;
}

export const taintRules = Object.fromEntries(
  Object.keys(flows).map((id) => [id, define(id as TaintRuleId)]),
) as Readonly<Record<TaintRuleId, Rule<never>>>;

/** For tests and for `--explain`. */
export const taintExamples: Readonly<Record<string, { readonly fires: string; readonly silent: string }>> = flows;

export const notAnalysedRule: Rule<never> = {
  id: 'taint/not-analysed',
  title: 'Code that could not be looked at',
  severity: 'info',
  axis: 'weakness',
  cwe: [],
  owasp: [],
  what: 'No handler was found, or a file could not be read, or the work allowed was used up.',
  why: 'Silence about code that nobody looked at says nothing about it.',
  remediation: 'Take the result as unknown. Interrogate the server in a box, which needs no source.',
} as unknown as Rule<never>;
