import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeBlocks, readExamples, splitLine } from './readme.ts';

const fence = (text: string, language = 'json'): string => `text\n\`\`\`${language}\n${text}\n\`\`\`\nmore\n`;
const first = (text: string): unknown => {
  const { command, args, environment } = readExamples(text)[0] ?? { command: null, args: [], environment: {} };
  return { command, args, environment };
};

describe('examples of a README', () => {
  it.each([
    {
      what: 'for a client',
      text: fence('{"mcpServers":{"x":{"command":"npx","args":["-y","x"],"env":{"A_KEY":"1"}}}}'),
      is: { command: 'npx', args: ['-y', 'x'], environment: { A_KEY: '1' } },
    },
    {
      what: 'with comments and commas too many',
      text: fence('{ "servers": { "x": { // here\n "command": "node", "args": ["a.js",], }, } }', 'jsonc'),
      is: { command: 'node', args: ['a.js'], environment: {} },
    },
    {
      what: 'without its outer braces',
      text: fence('"x": { "command": "uvx", "args": ["x"] }'),
      is: { command: 'uvx', args: ['x'], environment: {} },
    },
    {
      what: 'with the command as a list',
      text: fence('{"mcp":{"x":{"command":["npx","x","--a"],"environment":{"B":2}}}}'),
      is: { command: 'npx', args: ['x', '--a'], environment: { B: '2' } },
    },
    {
      what: 'as a line of a shell',
      text: fence('$ API_KEY="k 1" npx -y x \\\n  --dir /tmp | cat', 'bash'),
      is: { command: 'npx', args: ['-y', 'x', '--dir', '/tmp'], environment: { API_KEY: 'k 1' } },
    },
    {
      what: 'of something else',
      text: fence('npm install\ncd x', 'bash'),
      is: { command: null, args: [], environment: {} },
    },
    {
      what: 'with variables that are none',
      text: fence('{"x":{"command":"x","env":{"a-b":"1","C":{"d":1},"E":true}}}'),
      is: { command: 'x', args: [], environment: { E: 'true' } },
    },
  ])('$what', ({ text, is }) => {
    expect(first(text)).toEqual(is);
  });

  it('puts configs before lines of a shell', () => {
    const text = `${fence('npx x setup', 'sh')}${fence('{"a":{"command":"npx","args":["x"]}}')}`;
    expect(readExamples(text).map(({ from }) => from)).toEqual(['config', 'shell']);
  });

  it('keeps fences of another kind inside', () => {
    expect(codeBlocks('~~~\n```\na\n```\n~~~\n')).toEqual(['```\na\n```']);
    expect(codeBlocks('```\nnever closed')).toEqual([]);
  });

  it('splits words with quotes', () => {
    expect(splitLine(`a "b c" --d='e f' g`)).toEqual(['a', 'b c', '--d=e f', 'g']);
  });

  it('reads any text, and quickly when it is deep or long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.json(), (noise, json) => {
        for (const { args } of readExamples(fence(`${json}${noise}"command"`))) expect(args.length).toBeLessThan(65);
        readExamples(fence(`{"command":${json},"args":${json},"env":${json}}`));
        readExamples(noise);
      }),
    );
    expect(readExamples(fence(`{"command":${'['.repeat(20_000)}`)).length).toBeLessThan(65);
    expect(readExamples(fence(`npx ${'a '.repeat(50_000)}`, 'sh'))[0]?.args.length).toBeLessThan(65);
  });
});
