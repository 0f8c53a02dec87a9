import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandReader, openCommandReader, quoteForDisplay } from './index.ts';

let reader: CommandReader;
beforeAll(async () => {
  reader = await openCommandReader();
});
afterAll(() => reader.close());

const words: readonly [line: string, argv: readonly string[]][] = [
  ['ls -la', ['ls', '-la']],
  ['  strings   -n 8 x  ', ['strings', '-n', '8', 'x']],
  [`grep 'a b' "c d" e\\ f`, ['grep', 'a b', 'c d', 'e f']],
  [`echo a"b"'c'd`, ['echo', 'abcd']],
  [`echo "x\\"y\\$z\\\`w\\\\v\\n"`, ['echo', 'x"y$z`w\\v\\n']],
  [`printf $'a\\tb\\x41\\u00e9\\101\\'q'`, ['printf', `a\tbA\u00e9A'q`]],
  [`find . -name \\*.c`, ['find', '.', '-name', '*.c']],
  [`find . -name '*.c'`, ['find', '.', '-name', '*.c']],
  [`r2 -qc "pdg @ main; s" f`, ['r2', '-qc', 'pdg @ main; s', 'f']],
  [`echo '$(ls) \`x\` \${y}'`, ['echo', '$(ls) `x` ${y}']],
  ['dd if=a of=b', ['dd', 'if=a', 'of=b']],
  ['echo a=b --x=y', ['echo', 'a=b', '--x=y']],
  [`\\rm x`, ['rm', 'x']],
  [`'r'm x`, ['rm', 'x']],
  ['echo é 日本', ['echo', 'é', '日本']],
  ['ls # a comment', ['ls']],
  ['echo ""', ['echo', '']],
];

const shells: readonly [line: string, why: readonly string[]][] = [
  ['ls *.txt', ['glob']],
  ['ls ?', ['glob']],
  ['ls [ab]', ['glob']],
  ['ls a[b]"c"', ['glob']],
  ['a && b > o | c', ['construct']],
  ['echo $HOME', ['variable']],
  ['echo "$HOME"', ['variable']],
  ['echo {a,b}', ['brace']],
  ['cat ~/x', ['tilde']],
  ['(ls)', ['subshell']],
  ['{ ls; }', ['group']],
  ['A=1 ls', ['assignment']],
  ['A=1', ['assignment']],
  ['export A=1', ['assignment']],
  ['for f in a b; do ls; done', ['loop']],
  ['while true; do ls; done', ['loop']],
  ['if true; then ls; fi', ['condition']],
  ['f() { ls; }', ['function']],
  ['cat <<< hi', ['heredoc']],
  ['cat <<E\nhi\nE', ['heredoc']],
  ['ls &', ['background']],
  ['! ls', ['negation']],
  ['[ -f x ]', ['test']],
  ['ls >&2', ['redirect']],
  ['ls 2>&1 >f', ['redirect']],
  ['ls 5>f', ['redirect']],
];

describe('command lines', () => {
  it.each(words)('%j is run as it is read', (line, argv) => {
    const parsed = reader.read(line);
    expect(parsed).toMatchObject({
      kind: 'pipeline',
      pipelines: [{ when: 'always', steps: [{ argv, redirects: [], isErrorJoined: false }] }],
    });
  });

  it.each(words)('%j is what bash reads too', (line, argv) => {
    const [, ...rest] = argv;
    const script = `show() { printf '%s\\0' "$@"; }\n${line.trim().replace(/^\S+/, 'show')}\n`;
    const { stdout } = spawnSync('bash', ['-c', script], { env: { LC_ALL: 'C.UTF-8' } });
    expect(stdout.toString()).toBe(rest.map((word) => `${word}\0`).join('') || '\0');
  });

  it.each(shells)('%j needs a shell', (line, why) => {
    expect(reader.read(line)).toMatchObject({ kind: 'shell', why });
  });

  it('reads pipelines, lists and redirections', () => {
    const parsed = reader.read('a x | b |& c > out.txt 2>&1 && d < in || e; f 2>/dev/null &>>g');
    const step = (argv: string[], more: object = {}) => ({ argv, redirects: [], isErrorJoined: false, ...more });
    expect(parsed).toMatchObject({
      kind: 'pipeline',
      pipelines: [
        {
          when: 'always',
          steps: [
            step(['a', 'x']),
            step(['b'], { isErrorJoined: true }),
            step(['c'], { isErrorJoined: true, redirects: [{ fd: 1, mode: 'write', path: 'out.txt' }] }),
          ],
        },
        { when: 'success', steps: [step(['d'], { redirects: [{ fd: 0, mode: 'read', path: 'in' }] })] },
        { when: 'failure', steps: [step(['e'])] },
        {
          when: 'always',
          steps: [
            step(['f'], {
              isErrorJoined: true,
              redirects: [
                { fd: 2, mode: 'write', path: '/dev/null' },
                { fd: 1, mode: 'append', path: 'g' },
              ],
            }),
          ],
        },
      ],
    });
  });

  it.each([
    'ls "a',
    "ls 'a",
    'ls |',
    'ls && ',
    '',
    '   ',
    'a\0b',
    '# only a comment',
    'x'.repeat(70_000),
    '('.repeat(5_000),
  ])('refuses %j without running anything', (line) => {
    const { kind, judgement } = reader.read(line);
    expect([kind, judgement.verdict]).toEqual(['refused', 'refused']);
  });

  it('bears any text', () => {
    const piece = fc.constantFrom(
      ...'|&;<>(){}[]$`\'\\"*?~#!=\n\t ',
      'rm',
      '-rf',
      '/',
      'x',
      '<<E',
      '$((',
      '${',
      'if',
      'do',
      'case',
      '[[',
      'é',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const read = reader.read(pieces.join(''));
        expect(['pipeline', 'shell', 'refused']).toContain(read.kind);
        if (read.kind === 'refused') expect(read.judgement.verdict).toBe('refused');
      }),
      { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) },
    );
  });

  it('bears long lists', () => {
    const line = Array.from({ length: 300 }, () => 'ls').join(' && ');
    const parsed = reader.read(line);
    expect(parsed.kind === 'pipeline' && parsed.pipelines.length).toBe(300);
    expect(reader.read(Array.from({ length: 9_000 }, () => 'ls').join(' && ')).judgement.verdict).toBe('refused');
  });
});

describe('showing commands', () => {
  it.each([
    [['ls', '-la', 'a b'], "ls -la 'a b'"],
    [['echo', "it's"], `echo 'it'\\''s'`],
    [['x', ''], "x ''"],
    [['x', '\x1b[31m'], `x $'\\x1b[31m'`],
    [['x', '\u202e'], `x $'\\U0000202e'`],
  ])('%j', (argv, shown) => {
    expect(quoteForDisplay(argv)).toBe(shown);
    const parsed = reader.read(shown);
    expect(parsed.kind === 'pipeline' && parsed.pipelines[0]?.steps[0]?.argv).toEqual(argv);
  });
});
