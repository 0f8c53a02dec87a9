import type { CommandDefinition } from '../definition.ts';

export const run: CommandDefinition = {
  name: 'run',
  summary: 'run an MCP server in a box, behind a guard that holds it to a policy',
  description: [
    'Start an MCP server in a box and be that server to the client: put this in front of its command in any client config.',
    'Messages pass unchanged unless a rule says otherwise; a refusal is a JSON-RPC error that names the rule and what to do. Every decision is in the ledger (hotcell audit log).',
    'npx and uvx launches are resolved once, verified, installed in a box and remembered; --update resolves them anew.',
    'Without --policy, what was learnt for this server holds, else the tier LOW. A tier is made for one analysis: a server under one may run for 24 hours and print 1 GiB, unless --limit says otherwise. A policy file is taken as it is written.',
    'The server gets no variable of yours but those named with --env, and those that a policy file lists beyond what every server may have.',
    'If the policy cannot be kept on this machine, nothing is started. If the guard is killed, the server dies with it.',
  ].join('\n'),
  arguments: [{ name: '[command...]', description: 'the command of the server, after --' }],
  settings: ['backend', 'policy'],
  options: [
    { flags: '--name <name>', description: 'what the server is called in pins, ledger and messages' },
    {
      flags: '--mode <mode>',
      description: 'enforce, audit (refuse nothing, only tell) or learn (write a policy); default enforce',
    },
    { flags: '--read <path>', description: 'a file or folder that it may read', isRepeatable: true },
    { flags: '--write <path>', description: 'a file or folder that it may read and write', isRepeatable: true },
    {
      flags: '--host <host[:port]>',
      description: 'a host that it may connect to; port 443 unless said',
      isRepeatable: true,
    },
    {
      flags: '--env <name[=value]>',
      description: 'a variable for it; without a value it is yours',
      isRepeatable: true,
    },
    { flags: '--limit <name=value>', description: 'another limit, such as memoryBytes=536870912', isRepeatable: true },
    {
      flags: '--allow-gap <name>',
      description: 'start although this part of the policy cannot be kept here',
      isRepeatable: true,
    },
    { flags: '--instructions <what>', description: 'words to the model in results: mark, block or pass; default mark' },
    {
      flags: '--canary <where>',
      description: 'plant a token that must not turn up elsewhere: results, or env:NAME',
      isRepeatable: true,
    },
    { flags: '--watch', description: 'keep what it does in a folder, and report programs and files that are new' },
    { flags: '--update', description: 'resolve npx and uvx launches anew' },
    { flags: '--learn-to <file>', description: 'with --mode learn: the policy file, joined with what it says already' },
    {
      flags: '--http <[host:]port>',
      description: 'for a server that speaks HTTP: where clients reach it; a token is read from MCP_TOKEN',
    },
    {
      flags: '--inner-port <number>',
      description:
        'the port that a server which speaks HTTP listens on in its box; with --http the same by default, without it clients speak to it over stdio',
    },
    { flags: '--registered <handle>', description: 'command, tier and profile of a registered subprocess' },
    { flags: '--config <file>', description: 'all servers of a client config as one, each in its own box' },
  ],
  examples: [
    {
      line: 'hotcell run -- npx -y @modelcontextprotocol/server-everything',
      says: 'in place of the command in a client config',
    },
    {
      line: 'hotcell run --write ~/notes -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
      says: 'with one folder to work in',
    },
    { line: 'hotcell run --mode learn --policy HIGH -- node server.js', says: 'write the policy from what it does' },
    { line: 'hotcell run --host api.github.com --env GITHUB_TOKEN -- uvx some-server', says: 'one host, one variable' },
    {
      line: 'hotcell run --backend landlock --allow-gap names-visible --allow-gap identity -- node server.js',
      says: 'without root or packages, knowing what that leaves open',
    },
    {
      line: 'hotcell run --http 3000 --env PORT=3000 -- node http-server.js',
      says: 'a server that listens on port 3000 of its box',
    },
    { line: 'hotcell run --config mcp.json', says: 'several servers behind one guard' },
  ],
  exits: [
    { code: '0', when: 'the client has closed its end and the server has ended' },
    { code: 'any', when: "the server's own, when it ended by itself; 128+n when signal n ended it" },
    { code: '2', when: 'the command line or the policy cannot be understood: nothing was started' },
    { code: '4', when: 'the policy cannot be kept here: nothing was started' },
    { code: '129, 130, 143', when: 'SIGHUP, SIGINT, SIGTERM: the server was ended and its box put away' },
  ],
  async run(options, words, door) {
    const { runGuardCommand } = await import('../run/run.ts');
    return runGuardCommand(options, words, door);
  },
};
