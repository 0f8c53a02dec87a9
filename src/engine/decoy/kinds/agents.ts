import { baitFile, type DecoyKind } from '../decoy.ts';
import { anthropicKey } from '../vendors/anthropic-key.ts';
import { githubToken } from '../vendors/github-token.ts';
import { openaiKey } from '../vendors/openai-key.ts';
import { slackToken } from '../vendors/slack-token.ts';
import { urlPassword } from '../vendors/url-password.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What coding assistants keep: which servers they start, and the secrets those are given. */
export const agents: DecoyKind = {
  id: 'agents',
  title: 'Configuration of coding assistants',
  make: (context) => {
    const { company } = context.person;
    return {
      files: [
        baitFile(context, '.claude.json', [githubToken, anthropicKey], (github, anthropic) =>
          json({
            numStartups: 214,
            primaryApiKey: anthropic,
            mcpServers: {
              github: {
                type: 'stdio',
                command: 'github-mcp-server',
                args: ['stdio'],
                env: { GITHUB_PERSONAL_ACCESS_TOKEN: github },
              },
            },
          }),
        ),
        baitFile(context, '.cursor/mcp.json', [slackToken], (slack) =>
          json({ mcpServers: { slack: { command: 'slack-mcp', args: [], env: { SLACK_BOT_TOKEN: slack } } } }),
        ),
        baitFile(context, '.config/Code/User/mcp.json', [urlPassword, openaiKey], (password, openai) =>
          json({
            servers: {
              database: {
                type: 'stdio',
                command: 'postgres-mcp',
                args: [`postgres://app:${password}@db.${company}.example/app`],
              },
              search: {
                type: 'http',
                url: `https://mcp.${company}.example/`,
                headers: { Authorization: `Bearer ${openai}` },
              },
            },
          }),
        ),
      ],
    };
  },
};
