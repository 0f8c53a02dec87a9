import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CapabilityId, capabilityRules } from './index.ts';
import { inspectFiles } from './inspect-files.ts';

const idsOf = (path: string, code: string): readonly CapabilityId[] =>
  inspectFiles({ [path]: code }).data.capabilities.map(({ id }) => id);

const rulesOf = (files: Readonly<Record<string, string>>): readonly string[] =>
  inspectFiles(files).findings.map(({ rule }) => rule);

describe('the rules', () => {
  it.each(Object.values(capabilityRules))('$id: its own examples', ({ id, fires, silent }) => {
    expect(rulesOf(fires)).toContain(id);
    expect(rulesOf(silent)).not.toContain(id);
  });
});

describe('JavaScript: what is reached', () => {
  it.each<[string, string, readonly CapabilityId[]]>([
    ['a named import', "import { exec } from 'child_process'; exec('ls');", ['process']],
    ['a renamed import', "import { exec as e } from 'node:child_process'; e('ls');", ['process']],
    ['a default import', "import cp from 'node:child_process'; cp.spawn('ls');", ['process']],
    ['a namespace', "import * as cp from 'node:child_process'; cp.execFile('ls');", ['process']],
    ['require', "const cp = require('child_process'); cp.fork('x');", ['process']],
    ['require, taken apart', "const { spawn: s } = require('child_process'); s('ls');", ['process']],
    ['require, in place', "require('child_process').execSync('ls');", ['process']],
    ['a dynamic import', "const { exec } = await import('node:child_process'); exec('ls');", ['process']],
    ['a later assignment', "let cp; function f() { cp = require('child_process'); } cp.exec('ls');", ['process']],
    [
      'promisify',
      "import { promisify } from 'util'; import { exec } from 'child_process'; const run = promisify(exec); run('ls');",
      ['process'],
    ],
    [
      'createRequire',
      "import { createRequire } from 'module'; const r = createRequire(import.meta.url); r('child_process').exec('ls');",
      ['process'],
    ],
    ['a library', "import { execa } from 'execa'; await execa('ls');", ['process']],
    [
      'a bound function',
      "const { exec } = require('child_process'); const run = exec.bind(null, 'ls'); run();",
      ['process'],
    ],
    ['handed over', "const { exec } = require('child_process'); wrap(exec);", ['process']],
    ['handed on by a parameter', "(function (a) { a.exec('ls'); })(require('child_process'));", ['process']],
    ['only imported', "module.exports = require('child_process');", ['process']],
    ['a name put together', "require('child_' + 'process')['ex' + 'ec']('ls');", ['process']],
    ['a name in brackets', "const p = require(`child_process`); p['execSync']('ls');", ['process']],
    ['only the type', "import type { ChildProcess } from 'child_process'; let child: ChildProcess;", []],
    ['a name of its own', "function exec() {} exec('ls');", []],
    ['a shadowed name', "import { exec } from 'child_process'; function f(exec) { return exec('x'); }", ['process']],
    ['exec of a regular expression', "/a/.exec('a'); pattern.exec(text);", []],
    ['reading a file', "import fs from 'fs'; fs.readFileSync('a');", ['file-read']],
    ['reading with promises', "import { promises as fs } from 'fs'; await fs.readFile('a');", ['file-read']],
    ['writing a file', "import fs from 'fs/promises'; await fs.writeFile('a', 'b');", ['file-write']],
    [
      'both',
      "const fs = require('node:fs'); fs.writeFileSync('b', fs.readFileSync('a'));",
      ['file-read', 'file-write'],
    ],
    ['open to read', "import fs from 'fs'; fs.openSync('a', 'r');", ['file-read']],
    ['open to write', "import fs from 'fs'; fs.openSync('a', 'w');", ['file-write']],
    ['an unknown receiver', "deps.fs.writeFileSync('a', 'b');", ['file-write']],
    ['fetch', "await fetch('https://example.com');", ['network-out']],
    ['fetch of globalThis', "await globalThis.fetch('https://example.com');", ['network-out']],
    ['an own fetch', "function fetch() {} fetch('x');", []],
    [
      'axios and its instances',
      "import axios from 'axios'; const api = axios.create(); class Client { http = api; get() { return this.http.get('/x'); } }",
      ['network-out'],
    ],
    ['https', "require('https').get('https://example.com');", ['network-out']],
    ['a server', "import http from 'http'; http.createServer(() => 0).listen(80);", ['network-listen']],
    [
      'express',
      "import express from 'express'; const app = express(); app.get('/', () => 0); app.listen(80);",
      ['network-listen'],
    ],
    ['the environment', 'const key = process.env.KEY;', ['environment']],
    ['the environment, taken apart', 'const { env } = process; env.KEY;', ['environment']],
    ['the environment, imported', "import { env } from 'node:process'; env.KEY;", ['environment']],
    ['an env of something else', 'const key = context.env.KEY;', []],
    ['eval', "eval('1');", ['eval']],
    ['Function', "new Function('a', 'return a')(1);", ['eval']],
    ['the global object of bundles', "var root = Function('return this')();", []],
    ['vm', "import vm from 'vm'; vm.runInNewContext('1');", ['eval']],
    ['a computed import', 'await import(name);', ['dynamic-import']],
    ['a computed require', 'require(name);', ['dynamic-import']],
    ['a written import', "await import('./other.js'); require('zod');", []],
    ['an addon', "require('./build/addon.node');", ['native']],
    ['foreign functions', "import koffi from 'koffi'; koffi.load('libc.so.6');", ['native']],
    ['the clipboard', "import clipboard from 'clipboardy'; clipboard.readSync();", ['clipboard']],
    ['the keychain', "import keytar from 'keytar'; keytar.getPassword('a', 'b');", ['keychain']],
  ])('%s', (_, code, expected) => {
    expect(idsOf('index.ts', code)).toEqual(expected);
  });

  it('reads bundles: esbuild, webpack and minified names', () => {
    const bundles: readonly [string, readonly CapabilityId[]][] = [
      ['var ce=(e,t)=>e;var Ie=ce(require("child_process"),1);var q=Ie;(0,q.exec)("ls")', ['process']],
      [
        'import{exec as t}from"child_process";import{writeFileSync as r}from"fs";var n=e=>{t(e),r(e,e)};n("x")',
        ['process', 'file-write'],
      ],
      [
        '(()=>{var e={317:e=>{"use strict";e.exports=require("child_process")},896:e=>{e.exports=require("fs")}},t={};function r(n){return e[n]}var n=r(317),o=r(896);n.execSync("ls"),o.unlinkSync("x")})();',
        ['process', 'file-write'],
      ],
      ['function a(e){let t=e;return t}function b(e){var t=require("https");return t.request(e)}', ['network-out']],
    ];
    for (const [code, expected] of bundles) expect(idsOf('dist/index.js', code)).toEqual(expected);
  });

  it('says where, via which module, and how often', () => {
    const code = `import { exec } from 'child_process';\n${'exec("ls");\n'.repeat(80)}`;
    const [capability] = inspectFiles({ 'dist/index.js': code }).data.capabilities;
    expect(capability).toMatchObject({ id: 'process', total: 80, modules: ['child_process'] });
    expect(capability?.places).toHaveLength(50);
    expect(capability?.places).toContainEqual({ path: 'dist/index.js', line: 2, via: 'child_process.exec' });
  });

  it.each<[string, string, number]>([
    [
      'what a program printed',
      "import { execFileSync } from 'child_process'; const text = execFileSync('git'); text.trim().split(',');",
      1,
    ],
    [
      'what an answer holds',
      "import axios from 'axios'; const { data } = await axios.get(u); data.map((x) => x).join();",
      1,
    ],
    ['what fetch of a package gave', "import fetch from 'node-fetch'; const r = await fetch(u); await r.json();", 1],
    ['a client that was made', "import axios from 'axios'; const api = axios.create({}); api.get(u); api.post(u);", 3],
  ])('does not count the use of data: %s', (_, code, total) => {
    expect(inspectFiles({ 'index.js': code }).data.capabilities.map((capability) => capability.total)).toEqual([total]);
  });

  it('follows names over files, and leaves dependencies and tests aside', () => {
    const { data } = inspectFiles({
      'index.js': "import { run } from './lib/run.js'; run('ls');",
      'lib/run.js': "export { exec as run } from 'child_process';",
      'node_modules/x/index.js': 'eval("1")',
      'test/a.js': "require('fs').writeFileSync('a', 'b')",
    });
    expect(data.capabilities.map(({ id }) => id)).toEqual(['process']);
    expect(data.capabilities[0]?.places).toContainEqual({ path: 'index.js', line: 1, via: 'child_process.exec' });
  });

  it('reads a test that other code takes in', () => {
    const files = { 'index.js': "import './test/a.js';", 'test/a.js': "require('fs').writeFileSync('a', 'b')" };
    expect(inspectFiles(files).data.capabilities.map(({ id }) => id)).toEqual(['file-write']);
  });

  it('reads commands that have no ending', () => {
    const files = {
      'package.json': '{"bin":{"x":"./bin/x"}}',
      'bin/x': "#!/usr/bin/env node\nrequire('child_process').exec('ls')",
    };
    expect(inspectFiles(files).data.capabilities.map(({ id }) => id)).toEqual(['process']);
  });
});

describe('Python: what is reached', () => {
  it.each<[string, string, readonly CapabilityId[]]>([
    ['a module', 'import subprocess\nsubprocess.run(["ls"])', ['process']],
    ['a renamed module', 'import subprocess as sp\nsp.Popen("ls")', ['process']],
    ['a name', 'from subprocess import check_output as co\nco("ls")', ['process']],
    ['os.system', 'import os\nos.system("ls")', ['process']],
    [
      'inside of a function',
      'async def f():\n    import asyncio\n    await asyncio.create_subprocess_shell("ls")',
      ['process'],
    ],
    ['only imported', 'import subprocess', ['process']],
    ['open to read', 'open("a")', ['file-read']],
    ['open to write', 'with open("a", "w") as f:\n    f.write("x")', ['file-write']],
    ['open to append, by name', 'open("a", mode="ab")', ['file-write']],
    ['a path', 'from pathlib import Path\nPath("a").write_text("b")', ['file-write']],
    ['a joined path', 'from pathlib import Path\n(Path.home() / "a").read_text()', ['file-read']],
    ['deleting', 'import shutil\nshutil.rmtree("a")', ['file-write']],
    ['requests', 'import requests\nrequests.get("https://example.com")', ['network-out']],
    [
      'a client of httpx',
      'import httpx\nasync def f():\n    async with httpx.AsyncClient() as client:\n        await client.get("x")',
      ['network-out'],
    ],
    ['urllib', 'import urllib.request\nurllib.request.urlopen("x")', ['network-out']],
    [
      'a socket that listens',
      'import socket\ns = socket.socket()\ns.bind(("", 80))',
      ['network-out', 'network-listen'],
    ],
    ['uvicorn', 'import uvicorn\nuvicorn.run(app)', ['network-listen']],
    ['the environment', 'import os\nkey = os.environ["KEY"]', ['environment']],
    ['the environment, imported', 'from os import environ\nkey = environ.get("KEY")', ['environment']],
    ['getenv', 'import os\nos.getenv("KEY")', ['environment']],
    ['eval', 'eval("1")', ['eval']],
    ['exec and compile', 'exec(compile("1", "a", "exec"))', ['eval']],
    ['a method called eval', 'model.eval()', []],
    ['re.compile', 'import re\nre.compile("a")', []],
    ['a computed import', 'import importlib\nimportlib.import_module(name)', ['dynamic-import']],
    ['a written import', 'import importlib\nimportlib.import_module("json")', []],
    ['an import by its name', '__import__("os").system("ls")', ['process']],
    ['a name put together', '__import__("sub" + "process").run("ls")', ['process']],
    ['ctypes', 'import ctypes\nctypes.CDLL("libc.so.6")', ['native']],
    ['the clipboard', 'import pyperclip\npyperclip.paste()', ['clipboard']],
    ['the keychain', 'import keyring\nkeyring.get_password("a", "b")', ['keychain']],
    ['nothing', 'import json\njson.dumps({})', []],
  ])('%s', (_, code, expected) => {
    expect(idsOf('server.py', code)).toEqual(expected);
  });

  it('follows names over files', () => {
    const { data } = inspectFiles({
      'pkg/__init__.py': '',
      'pkg/run.py': 'from subprocess import run\nclass Runner:\n    def go(self, x):\n        return run(x)\n',
      'pkg/server.py':
        'from .run import Runner\nfrom pkg.run import Runner as Other\nrunner = Runner()\n@mcp.tool(annotations={"readOnlyHint": True})\ndef show(x):\n    return runner.go(x)\n',
    });
    expect(data.tools).toMatchObject([{ name: 'show', reaches: ['process'], annotations: { readOnlyHint: true } }]);
  });
});

describe('any text', () => {
  const words = fc.constantFrom(
    'import',
    'from',
    '"fs"',
    'require("child_process")',
    '{',
    '}',
    '(',
    ')',
    '=>',
    'x',
    '.',
    'exec',
    'class',
    'def',
    ':',
    '\n',
    '  ',
    '=',
    'await',
    'this',
    '`',
    '${',
    ',',
    '[',
    ']',
    'switch',
    'case',
    '"a"',
    'process.env',
    '...',
    'function',
    'export',
    '*',
    'as',
    '@mcp.tool()',
  );
  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('a.js', 'a.ts', 'a.tsx', 'a.py', 'a.cjs'),
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words, { maxLength: 60 }).map((parts) => parts.join(' ')),
        ),
        (path, code) => {
          inspectFiles({ [path]: code });
        },
      ),
      { numRuns: 400 },
    );
  });
});
