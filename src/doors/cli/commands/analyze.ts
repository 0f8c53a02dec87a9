import { severities } from '../../../base/finding-schema.ts';
import { analyzeFlagsSchema } from '../analyze/flags.ts';
import { defineCommand } from '../definition.ts';

export const analyze = defineCommand({
  name: 'analyze',
  summary: 'run a server in a box and judge it: does it harm, can it be made to, what does it need',
  description: [
    'Install, start, use and attack an MCP server in a box with decoys and an internet that is not there, and say with proof what it does.',
    'A target is what hotcell scan takes, or the URL of a server that runs elsewhere. Without one, the servers that are configured on this machine are analysed.',
    'Everything of a run is kept in one folder: report.json, .html, .sarif and .md, sbom.cdx.json, policy.json, events.ndjson.',
    'Ctrl-C ends a run in good order, with a report of what was known by then; a second one ends it at once.',
  ].join('\n'),
  arguments: [{ name: '[target...]', description: 'what to analyse; a command goes after --' }],
  settings: ['backend'],
  options: [
    { flags: '--budget <budget>', description: 'quick, standard, deep, or seconds for the trials; default standard' },
    { flags: '--patience <seconds>', description: 'how long a server that does nothing is watched' },
    {
      flags: '--env <name=value>',
      description: 'a variable for the server; a name alone takes yours',
      isRepeatable: true,
    },
    { flags: '--arg <value>', description: 'an argument for the server', isRepeatable: true },
    {
      flags: '--prop <prop>',
      description: 'something it wants to find: postgres, redis, NAME=stub or NAME=stub:TEXT',
      isRepeatable: true,
    },
    { flags: '--header <line>', description: "'Name: value', sent to a remote server", isRepeatable: true },
    { flags: '--jobs <number>', description: 'analyse so many targets at once' },
    { flags: '--format <format>', description: 'json, sarif, cyclonedx, markdown or html on stdout instead of text' },
    { flags: '-o, --output <file>', description: 'write a file; its ending picks the format', isRepeatable: true },
    { flags: '--folder <folder>', description: 'folder of the run; default: a new one in HOTCELL_HOME/runs' },
    {
      flags: '--fail-on <severity>',
      description: `exit 1 from here on: ${severities.join(', ')}; default high, and then only with proof`,
    },
    { flags: '--baseline <file>', description: 'findings that were accepted before are counted, not shown' },
    { flags: '--offline', description: 'fetch nothing: only what is on this machine' },
    { flags: '--offline-ok', description: 'that no source of advisories could be asked is no reason for exit 3' },
    { flags: '--no-network', description: 'a box without any network; what it would have sent stays unknown' },
    { flags: '--seed <text>', description: 'the same seed makes the same trials' },
    { flags: '--details', description: 'every finding with all of its proof' },
    { flags: '--quiet', description: 'no progress on stderr' },
    { flags: '--json', description: 'progress as one JSON document per line on stdout; the last is the result' },
    { flags: '--list', description: 'only list what would be analysed' },
    {
      flags: '--llm <service>',
      description: 'let a model propose arguments: anthropic, or a URL that speaks like OpenAI',
    },
    { flags: '--llm-model <name>', description: 'which model of that service' },
    { flags: '--llm-most-calls <number>', description: 'ask it at most so often; default 12' },
    { flags: '--llm-most-tokens <number>', description: 'and for at most so many tokens in all; default 150000' },
    { flags: '--server-url <url>', description: 'also analyse the server at this URL' },
    { flags: '--anthropic-key <key>', description: 'better set ANTHROPIC_API_KEY: others can see a command line' },
    { flags: '--source-type <kind>', description: 'read the targets as local, npm, pypi or github' },
    { flags: '--ref <ref>', description: 'branch, tag or commit of a github target' },
  ],
  examples: [
    { line: 'hotcell analyze ./my-server', says: 'a folder' },
    { line: 'hotcell analyze npm:@modelcontextprotocol/server-filesystem@2025.7.1', says: 'a published package' },
    { line: 'hotcell analyze --budget quick -- npx -y some-server --port 3000', says: 'what that command would start' },
    { line: 'hotcell analyze . -o report.html -o report.sarif --fail-on medium', says: 'for people and for CI' },
    { line: 'hotcell analyze ./a ./b ./c --jobs 2', says: 'two at a time' },
    { line: 'hotcell analyze ./my-server --env API_KEY=x --prop kubectl=stub', says: 'with what it wants to find' },
    {
      line: "hotcell analyze https://mcp.example/mcp --header 'Authorization: Bearer x'",
      says: 'one that runs elsewhere',
    },
  ],
  exits: [
    { code: '0', when: 'it was run, everything was seen, and nothing is as bad as --fail-on' },
    {
      code: '1',
      when: 'proven or observed (evidence class A or B) and as bad as --fail-on, or the verdict is above 70; class C (more than declared) and D (a hint) count only where --fail-on is written',
    },
    { code: '2', when: 'the command line, a variable or a target cannot be understood' },
    {
      code: '3',
      when: 'incomplete: it did not start, a sensor missed something, no source of advisories could be asked, or it was interrupted; a remote server is never seen whole',
    },
    { code: '4', when: 'no isolation available: nothing was run' },
    { code: '130', when: 'interrupted twice: ended at once' },
  ],
  input: analyzeFlagsSchema,
  async run(flags, words, door) {
    const { runAnalyzeCommand } = await import('../analyze/run.ts');
    return runAnalyzeCommand(flags, words, door);
  },
});
