import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { isKnownError, UsageError } from '../../../base/errors.ts';
import { describeTarget } from '../../../targets/ingest/target/parse.ts';
import { splitWords } from '../../../targets/ingest/target/split-words.ts';
import { readLaunch, wantedOf } from './asked.ts';
import { samplePlace } from './sample-place.ts';

const place = samplePlace(['my-server']);
const around = place.options.fetch;
place.write('user/work/server.js', '');
place.write('user/work/server.py', '');
afterAll(() => rmSync(place.folder, { recursive: true, force: true }));

/** `variables | targets | wanted | args` */
function read(line: string): string {
  const asked = readLaunch(splitWords(line), around);
  const { target, variables, args } = asked;
  const targets = target === null ? ['?'] : [target.starts, ...target.besides].map(describeTarget);
  const isPackage = target !== null && ['npm', 'pypi', 'git'].includes(target.starts.kind);
  const wanted = isPackage ? wantedOf(asked) : null;
  const shown = wanted === null ? '-' : wanted.is === 'package' ? 'package' : [wanted.name, ...wanted.args].join('+');
  return `${variables.join(' ')}|${targets.join(' ').replace(place.work, '.')}|${shown}|${args.join(' ')}`;
}

describe('launch commands', () => {
  it.each<[string, string]>([
    ['npx -y pkg', '|npm:pkg@latest|package|'],
    ['npx -y @s/p@^1.2 --root /tmp', '|npm:@s/p@^1.2|package|--root /tmp'],
    ['npx -y @s/p@1.2.3 -p 3000', '|npm:@s/p@1.2.3|package|-p 3000'],
    ['npx -p @s/p server --port 1', '|npm:@s/p@latest|server|--port 1'],
    ['npx --package=@s/p -- server', '|npm:@s/p@latest|server|'],
    ['npx -p one -p two three four', '|npm:one@latest npm:two@latest|three|four'],
    ['npx -p one -c "three four"', '|npm:one@latest|three+four|'],
    ['npm exec -y -- @s/p a', '|npm:@s/p@latest|package|a'],
    ['npm exec --package=@s/p -- cmd a', '|npm:@s/p@latest|cmd|a'],
    ['pnpm dlx p@1.0.0 a', '|npm:p@1.0.0|package|a'],
    ['pnpm --package=@s/p dlx cmd', '|npm:@s/p@latest|cmd|'],
    ['yarn dlx -p @s/p cmd', '|npm:@s/p@latest|cmd|'],
    ['bunx p@2.0.0', '|npm:p@2.0.0|package|'],
    ['bun x p', '|npm:p@latest|package|'],
    ['uvx p@1.2.3 a', '|pypi:p==1.2.3|package|a'],
    ['uvx --from p==1.0 cmd a', '|pypi:p==1.0|cmd|a'],
    ['uvx --from p[cli]>=1 --with q cmd', '|pypi:p[cli]>=1 pypi:q|cmd|'],
    ['uv tool run --from p cmd', '|pypi:p|cmd|'],
    ['pipx run p==1.0 --x', '|pypi:p==1.0|package|--x'],
    ['pipx run --spec p[x]==2 cmd a', '|pypi:p[x]==2|cmd|a'],
    ['npx -y github:o/r#v1', '|git+https://github.com/o/r.git#v1|package|'],
    ['env A=1 B=2 npx p a', 'A=1 B=2|npm:p@latest|package|a'],
    ['sh -c "npx -y p@1.0.0 a"', '|npm:p@1.0.0|package|a'],
    ['bash -lc "env A=1 uvx p"', 'A=1|pypi:p|package|'],
    ['node server.js --port 1', '|./server.js|-|--port 1'],
    ['python3.12 -u server.py', '|./server.py|-|'],
    ['my-server a', `|${place.folder}/tools/bin/my-server|-|a`],
    ['python -m not_here a', '|?|-|-m not_here a'],
    ['node -e "x()"', '|?|-|-e x()'],
    ['sh -c "a && b"', '|?|-|-c a && b'],
  ])('%s', (line, expected) => {
    expect(read(line)).toBe(expected);
  });

  it.each<[string, RegExp, RegExp]>([
    ['docker run -i --rm mcp/fetch:1', /outside of the box/, /hotcell analyze image:mcp\/fetch:1/],
    ['env A=1 podman run --rm img', /outside of the box/, /image:img/],
    ['docker compose up', /outside of the box/, /image:IMAGE/],
    ['npx', /names nothing/, /./],
    ['npx -p one', /no program of it/, /npx -p/],
    ['npx --package=one', /no program of it/, /npx -p/],
    ['uvx --from one', /no program of it|names nothing/, /./],
    ['npx -p one -c "a && b"', /shell line/, /npx -p/],
    ['env -u HOME npx p', /is not understood/, /policy/],
    ['node not-here.js', /no file or folder/, /^$/],
    ['nobody-knows', /no program/, /./],
    ['npm install p', /names nothing/, /./],
  ])('%s is refused', (line, message, hint) => {
    const attempt = (): string => read(line);
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(message);
    try {
      attempt();
    } catch (error) {
      expect((error as UsageError).hint ?? '').toMatch(hint);
    }
  });

  it('nothing at all is refused', () => {
    expect(() => readLaunch([], around)).toThrow(UsageError);
    expect(() => readLaunch(['node', 'a\0b'], around)).toThrow(/NUL/);
  });

  it('any words are read or refused in words', () => {
    const known = 'npx uvx uv run env sh -c -p --package --from -m python node docker -- - A=1 pkg'.split(' ');
    const word = fc.oneof(fc.constantFrom(...known, ''), fc.string());
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        try {
          const asked = readLaunch(words, around);
          if (asked.target !== null) wantedOf(asked);
          if (asked.launcher === 'python') return;
          expect(asked.words.slice(asked.words.length - asked.args.length)).toEqual(asked.args);
        } catch (error) {
          expect(isKnownError(error)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
