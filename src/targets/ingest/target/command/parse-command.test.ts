import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../base/errors.ts';
import type { TargetContext } from '../contract.ts';
import { describeTarget } from '../parse.ts';
import { splitWords } from '../split-words.ts';
import { parseCommand } from './parse-command.ts';

let cwd = '';
let context: TargetContext = { cwd };

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'hotcell-command-'));
  context = { cwd, searchPath: [join(cwd, 'bin')] };
  for (const name of ['bin', 'project', 'module/inner']) mkdirSync(join(cwd, name), { recursive: true });
  for (const name of ['server.js', 'server.py', 'hook.mjs', 'app.jar', 'tool', 'bin/my-server', 'project/main.py']) {
    writeFileSync(join(cwd, name), '');
  }
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** `starts`, besides and own arguments, on one line each; paths relative. */
function started(words: string[]): string {
  const { starts, besides, args } = parseCommand(words, context);
  const names = [starts, ...besides].map((target) => describeTarget(target).replace(`${cwd}/`, './').replace(cwd, '.'));
  return `${names.join(' + ')} | ${args.join(' ')}`;
}

describe('what a command would start', () => {
  it.each<[string, string]>([
    ['npx some-server', 'npm:some-server@latest | '],
    ['npx -y @s/p@1.2.3 --root /tmp', 'npm:@s/p@1.2.3 | --root /tmp'],
    ['npx --yes -- @s/p a', 'npm:@s/p@latest | a'],
    ['npx -p @s/p -p other cmd a', 'npm:@s/p@latest + npm:other@latest | a'],
    ['npx --package=@s/p@^2 cmd', 'npm:@s/p@^2 | '],
    ['npx -y --registry https://r.example @s/p', 'npm:@s/p@latest | '],
    ['npx -y github:o/r#v1', 'git+https://github.com/o/r.git#v1 | '],
    ['npx -y o/r', 'git+https://github.com/o/r.git | '],
    ['npx ./project', './project | '],
    ['/usr/local/bin/npx -y p', 'npm:p@latest | '],
    ['npx.cmd -y p', 'npm:p@latest | '],
    ['cmd /c npx -y p@1.0.0', 'npm:p@1.0.0 | '],
    ['cmd.exe /C "npx -y p x"', 'npm:p@latest | x'],
    ['env A=1 B=2 npx p', 'npm:p@latest | '],
    ['/usr/bin/env -u X npx p', 'npm:p@latest | '],
    ['sh -c "npx -y p@1.0.0 a"', 'npm:p@1.0.0 | a'],
    ['bash -lc "uvx p"', 'pypi:p | '],
    ['npm exec -y -- @s/p a', 'npm:@s/p@latest | a'],
    ['npm exec --package=@s/p -- cmd a', 'npm:@s/p@latest | a'],
    ['npm x p', 'npm:p@latest | '],
    ['npm --prefix project run start', './project | '],
    ['npm start', '. | '],
    ['pnpm dlx p@1.0.0', 'npm:p@1.0.0 | '],
    ['pnpm --package=@s/p dlx cmd', 'npm:@s/p@latest | '],
    ['pnpm dlx --package @s/p cmd', 'npm:@s/p@latest | '],
    ['pnpx p', 'npm:p@latest | '],
    ['yarn dlx -p @s/p cmd', 'npm:@s/p@latest | '],
    ['yarn dlx -q p', 'npm:p@latest | '],
    ['bunx p@2.0.0', 'npm:p@2.0.0 | '],
    ['bunx --bun p', 'npm:p@latest | '],
    ['bun x p', 'npm:p@latest | '],
    ['bun run server.js', './server.js | '],
    ['bun --cwd project run dev', './project | dev'],
    ['bun server.js', './server.js | '],
    ['node server.js --port 1', './server.js | --port 1'],
    ['node --import ./hook.mjs -r dotenv/config server.js', './server.js + ./hook.mjs | '],
    ['node --enable-source-maps ./server.js', './server.js | '],
    ['nodejs server.js', './server.js | '],
    ['node project', './project | '],
    ['tsx watch server.js', './server.js | '],
    ['deno run -A --config x.json server.js', './server.js | '],
    ['deno run -A npm:@s/p@1.0.0/cli x', 'npm:@s/p@1.0.0 | x'],
    ['deno run --allow-net npm:p', 'npm:p@latest | '],
    ['uvx p', 'pypi:p | '],
    ['uvx p@1.2.3 a', 'pypi:p==1.2.3 | a'],
    ['uvx p@latest', 'pypi:p | '],
    ['uvx --from p==1.0 cmd a', 'pypi:p==1.0 | a'],
    ['uvx --from p[cli]==1.0 cmd', 'pypi:p[cli]==1.0 | '],
    ['uvx --python 3.12 --with extra p', 'pypi:p + pypi:extra | '],
    ['uvx --from git+https://github.com/o/r@v1 cmd', 'git+https://github.com/o/r#v1 | '],
    ['uvx --from "p @ git+https://github.com/o/r" cmd', 'git+https://github.com/o/r | '],
    ['uvx --from ./project cmd', './project | '],
    ['uv tool run p', 'pypi:p | '],
    ['uv run server.py', './server.py | '],
    ['uv --directory project run main.py', './project/main.py | '],
    ['uv run --directory project my-entry x', './project | x'],
    ['uv run --with mcp[cli] server.py', './server.py + pypi:mcp[cli] | '],
    ['uv run python server.py', './server.py | server.py'],
    ['pipx run p==1.0', 'pypi:p==1.0 | '],
    ['pipx run --spec p[x]==2 cmd a', 'pypi:p[x]==2 | a'],
    ['python server.py a', './server.py | a'],
    ['python3.12 -u ./server.py', './server.py | '],
    ['python -m module', './module | '],
    ['python -m module.inner x', './module/inner | x'],
    ['python -m server', './server.py | '],
    ['docker run -i --rm mcp/fetch', 'image:mcp/fetch | '],
    ['docker run -i --rm -e TOKEN -v /a:/b --network none mcp/fetch:1.0 a', 'image:mcp/fetch:1.0 | a'],
    ['docker run -it -p80:80 --name=x img --flag', 'image:img | --flag'],
    ['docker run -ie TOKEN img', 'image:img | '],
    ['docker container run --mount type=bind,src=/a,dst=/b ghcr.example/o/i img', 'image:ghcr.example/o/i | img'],
    ['docker --context remote run img', 'image:img | '],
    ['podman run --rm img', 'image:img | '],
    ['java -Xmx1g -jar app.jar x', './app.jar | x'],
    ['./tool a', './tool | a'],
    ['my-server a', './bin/my-server | a'],
  ])('%s', (line, expected) => {
    expect(started(splitWords(line))).toBe(expected);
  });
});

describe('what names nothing that can be inspected', () => {
  it.each<[string, RegExp]>([
    ['node -e "x()"', /names nothing/],
    ['node', /names nothing/],
    ['npx -c "a && b"', /names nothing/],
    ['npx', /names nothing/],
    ['python -c "x"', /names nothing/],
    ['python -m not_here', /does not tell which package/],
    ['sh -c "a; b"', /names nothing/],
    ['sh -c "npx $X"', /names nothing/],
    ['docker ps', /names nothing/],
    ['docker run -i --rm', /names nothing/],
    ['docker compose up', /names nothing/],
    ['npm install p', /names nothing/],
    ['uv sync', /names nothing/],
    ['deno run https://h.example/x.ts', /names nothing/],
    ['nobody-knows', /no program/],
    ['./not-here', /no file or folder/],
    ['env', /no program/],
    ['env env env env env env env env env env npx p', /too many programs/],
    ['npx -y --', /names nothing/],
    ['npx -p', /names nothing/],
  ])('%s', (line, message) => {
    expect(() => started(splitWords(line))).toThrow(UsageError);
    expect(() => started(splitWords(line))).toThrow(message);
  });

  it('whatever the words are', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'npx',
        'uvx',
        'uv',
        'run',
        'docker',
        '-p',
        '--from',
        '--',
        '-',
        '-m',
        'python',
        'env',
        'sh',
        '-c',
        '-ie',
        '',
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        try {
          expect(parseCommand(words, context).kind).toBe('command');
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
