import { z } from 'zod';
import { severities } from '../../../base/finding-schema.ts';
import { defineCommand } from '../definition.ts';

export const scan = defineCommand({
  name: 'scan',
  summary: 'know a server before it runs: code, dependencies, secrets, metadata',
  description: [
    'Inspect MCP servers without running anything of them: no install script, no build, no import.',
    'A target is a folder, an archive or bundle, npm:name@version, pypi:name==version, a git URL, a client config, a server.json, a capture of tools/list, or a command after --.',
    'Without one, the servers that are configured on this machine are scanned.',
    'What could not be looked at is told as unknown, never as clean.',
  ].join('\n'),
  arguments: [{ name: '[target...]', description: 'what to scan; a command goes after --' }],
  options: [
    { flags: '--format <format>', description: 'json, sarif, cyclonedx, markdown or html on stdout instead of text' },
    { flags: '-o, --output <file>', description: 'write a file; its ending picks the format', isRepeatable: true },
    { flags: '--fail-on <severity>', description: `exit 1 from here on: ${severities.join(', ')}; default high` },
    { flags: '--baseline <file>', description: 'findings that were accepted before are counted, not shown' },
    { flags: '--write-baseline <file>', description: 'accept everything that is found now' },
    { flags: '--offline', description: 'ask nobody: only what is on this machine' },
    { flags: '--offline-ok', description: 'that no source of advisories could be asked is no reason for exit 3' },
    { flags: '--details', description: 'every finding and every check' },
    { flags: '--list', description: 'only list what would be scanned' },
    { flags: '--explain <rule>', description: 'what a rule looks for, why, and an example of either kind' },
  ],
  examples: [
    { line: 'hotcell scan', says: 'every server that a client on this machine is configured with' },
    { line: 'hotcell scan npm:@modelcontextprotocol/server-filesystem@2025.7.1', says: 'a published package' },
    { line: 'hotcell scan . -o report.html -o report.sarif', says: 'this folder, as files for people and for CI' },
    { line: 'hotcell scan -- npx -y some-server --port 3000', says: 'what that command would start' },
    { line: 'hotcell scan --explain taint/command-injection', says: 'what a rule is about' },
  ],
  exits: [
    { code: '0', when: 'everything was looked at, and nothing is as bad as --fail-on' },
    { code: '1', when: 'a finding is as bad as --fail-on' },
    { code: '2', when: 'the command line or a target cannot be understood' },
    { code: '3', when: 'not everything could be looked at' },
  ],
  input: z.object({
    format: z.string().optional(),
    output: z.array(z.string()).default([]),
    failOn: z.string().optional(),
    baseline: z.string().optional(),
    writeBaseline: z.string().optional(),
    offline: z.boolean().default(false),
    offlineOk: z.boolean().default(false),
    details: z.boolean().default(false),
    list: z.boolean().default(false),
    explain: z.string().optional(),
  }),
  async run(wishes, words, door) {
    const { runScanCommand } = await import('../scan/run.ts');
    return runScanCommand(wishes, words, door);
  },
});
