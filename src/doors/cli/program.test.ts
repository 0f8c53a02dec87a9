import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { commands } from './commands/index.ts';
import { parseCommandLine, type Request } from './program.ts';
import { describeTerminal } from './terminal/index.ts';

const terminal = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });

function parse(...argv: readonly string[]) {
  return parseCommandLine(argv, commands, { version: '1.2.3', terminal });
}

function ask(...argv: readonly string[]): Request {
  const parsed = parse(...argv);
  if (!('command' in parsed)) throw new Error(`not a request: ${parsed.text}`);
  return parsed;
}

describe('parseCommandLine', () => {
  it('knows the command, its options and its words', () => {
    const { command, options, words, flags } = ask('policy', 'show', 'LOW', '--for', 'oci', '--json');
    expect([command.name, options, words, flags]).toEqual(['show', { for: 'oci', json: true }, ['LOW'], {}]);
  });

  const flagTable: readonly [string, readonly string[], object][] = [
    ['before the command', ['--home', '/h', 'config'], { home: '/h' }],
    ['after the command', ['config', '--home', '/h'], { home: '/h' }],
    ['with an equals sign', ['config', '--home=/h'], { home: '/h' }],
    ['of the command itself', ['config', '--backend', 'runc', '--policy', 'HIGH'], { backend: 'runc', policy: 'HIGH' }],
    ['no colour', ['config', '--no-color'], { color: 'never' }],
    ['a colour', ['config', '--color', 'always'], { color: 'always' }],
    ['debug', ['config', '--debug'], { logLevel: 'debug' }],
    ['a level beats debug', ['config', '--debug', '--log-level', 'quiet'], { logLevel: 'quiet' }],
    [
      'in two words',
      ['config', '--runtime-folder', '/r', '--docker-socket', '/d'],
      { runtimeFolder: '/r', dockerSocket: '/d' },
    ],
    ['none', ['config'], {}],
  ];
  it.each(flagTable)('reads settings: %s', (_, argv, flags) => {
    expect(ask(...argv).flags).toEqual(flags);
  });

  it('leaves everything after -- to the command in the box', () => {
    const command = ['node', '--no-color', '--home', 'x', '--', '--help', ''];
    const { words, flags } = ask('box', '--backend', 'bwrap', '--', ...command);
    expect(words).toEqual(command);
    expect(flags).toEqual({ backend: 'bwrap' });
  });

  it('collects what may be given more than once', () => {
    expect(ask('box', '--env', 'A=1', '--env', 'B=2', '--', 'x').options).toMatchObject({ env: ['A=1', 'B=2'] });
  });

  const printed: readonly [readonly string[], number, RegExp][] = [
    [['--help'], 0, /Usage: hotcell \[options\] \[command\][\s\S]*Examples:/],
    [['box', '-h'], 0, /Usage: hotcell box[\s\S]*Examples:[\s\S]*Exit codes:/],
    [['help', 'policy', 'diff'], 0, /Usage: hotcell policy/],
    [['--version'], 0, /^1\.2\.3\n$/],
    [[], 2, /Usage: hotcell/],
    [['policy'], 2, /Usage: hotcell policy/],
  ];
  it.each(printed)('prints help for %j', (argv, exitCode, text) => {
    const answer = parse(...argv);
    expect(answer).toMatchObject({ exitCode });
    expect('text' in answer ? answer.text : '').toMatch(text);
  });

  const refused: readonly [readonly string[], RegExp, RegExp][] = [
    [['dcotor'], /^unknown command 'dcotor'$/, /Did you mean doctor\?/],
    [['policy', 'chek', 'x'], /^unknown command 'chek'$/, /Did you mean check\?/],
    [['config', '--polcy', 'x'], /^unknown option '--polcy'$/, /Did you mean --policy\?/],
    [['config', '--qqqqqqqq'], /^unknown option/, /see hotcell --help/],
    [['box', 'ls', '-l'], /^unknown option '-l'$/, /put -- before/],
    [['config', '--home'], /argument missing/, /./],
    [['policy', 'diff', 'LOW'], /missing required argument 'b'/, /./],
    [['version', 'x'], /too many arguments/, /./],
    [['probe', 'nmpa'], /^hotcell probe has no command nmpa$/, /^did you mean nmap\?$/],
    [['lab', 'qqqqqqqq', 'x'], /^hotcell lab has no command qqqqqqqq$/, /see hotcell lab --help/],
    [
      ['probe', 'scope', '--transport', 'http'],
      /^--transport is a flag of hotcell probe itself, not of hotcell probe scope$/,
      /see hotcell probe scope --help/,
    ],
  ];
  it.each(refused)('refuses %j', (argv, message, hint) => {
    let error: unknown;
    try {
      parse(...argv);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(message);
    expect((error as UsageError).hint).toMatch(hint);
  });
});
