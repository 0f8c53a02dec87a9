import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readError } from './read-error.ts';
import { readStartRules } from './rules.ts';
import { readUsage } from './usage.ts';

const { errors } = readStartRules();
const wishes = (text: string): readonly string[] =>
  readError(text, errors).wishes.map(({ kind, name }) => `${kind} ${name}`);

describe('what an error text asks for', () => {
  it.each([
    ['Error: GITHUB_TOKEN environment variable is required', ['variable GITHUB_TOKEN']],
    ['SEARXNG_URL must be set. Set it to the URL of your instance', ['variable SEARXNG_URL']],
    ['Missing required environment variables: A_KEY, B_SECRET', ['variable A_KEY', 'variable B_SECRET']],
    [
      'Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables',
      ['variable SLACK_BOT_TOKEN', 'variable SLACK_TEAM_ID'],
    ],
    ["KeyError: 'NOTION_TOKEN'", ['variable NOTION_TOKEN']],
    ['\u001b[31mTAVILY_API_KEY is not set\u001b[0m', ['variable TAVILY_API_KEY']],
    ["error: required option '-k, --api-key <key>' not specified", ['option --api-key']],
    ['prog: error: the following arguments are required: --repository', ['option --repository']],
    ["error: missing required argument 'directory'", ['argument directory']],
    ['Please provide a database URL as a command-line argument', []],
    ['Please provide a database url as a command-line argument', ['argument database url']],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432', ['service 5432']],
    ['Error: connect ECONNREFUSED ::1:6379', ['service 6379']],
    ['Error: spawn kubectl ENOENT', ['program kubectl']],
    ['/bin/sh: 1: gh: not found', ['program gh']],
    ['MCP server listening on port 3000', ['port 3000']],
    ['Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C)', ['port 8000']],
    ["Error: Cannot find module 'zod'", ['module zod']],
    ["ModuleNotFoundError: No module named 'mcp'", ['module mcp']],
    ['Error: something went wrong', []],
    ['ERROR missing', []],
    ['', []],
  ])('%j', (text, asked) => {
    for (const one of asked) expect(wishes(text)).toContain(one);
    if (asked.length === 0) expect(wishes(text)).toEqual([]);
  });

  it('finds the line of usage', () => {
    const { usage } = readError('x\nUsage: mcp-server-filesystem <allowed-directory> [more...]\n', errors);
    expect(usage).toEqual(['mcp-server-filesystem <allowed-directory> [more...]']);
  });

  it('reads any text, and quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        expect(readError(text, errors).wishes.length).toBeLessThan(33);
        readUsage(text);
      }),
    );
    const long = ['A_', 'required ', 'listening ', 'connect ', 'Usage: <']
      .map((part) => part.repeat(20_000))
      .join('\n');
    expect(readError(long, errors).wishes.length).toBeLessThan(33);
  });
});

describe('a line of usage', () => {
  it.each([
    ['server <allowed-directory> [more...]', ['allowed-directory']],
    ['server [options] <a> <b c>', ['a', 'b-c']],
    ['server --root <dir> [--port <n>]', ['--root dir']],
    ['server --db=<path>', ['--db path']],
    ['server [[a] <b>]', []],
    ['server', []],
    ['', []],
  ])('%j', (line, names) => {
    const found = readUsage(line).map(({ name, option }) => (option === undefined ? name : `${option} ${name}`));
    expect(found).toEqual(names);
  });
});
