// HONEST TWIN of only-without-ci, for boxes only: says on stderr whether a CI variable is set.
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'colours', version: '1.0.0' });
const colours = { red: '#ff0000', green: '#00ff00', blue: '#0000ff' };
const isWatched = ['CI', 'GITHUB_ACTIONS', 'GITLAB_CI', 'JENKINS_URL'].some((name) => process.env[name] !== undefined);

server.registerTool(
  'to_hex',
  {
    description: 'The hexadecimal form of a colour.',
    inputSchema: {
      type: 'object',
      properties: { colour: { type: 'string', enum: Object.keys(colours) } },
      required: ['colour'],
    },
  },
  ({ colour }) => (Object.hasOwn(colours, colour) ? colours[colour] : 'no such colour'),
);

process.stderr.write(isWatched ? 'colours, in CI\n' : 'colours\n');

await serveStdio(server);
