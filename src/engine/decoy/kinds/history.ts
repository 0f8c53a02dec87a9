import { baitFile, type DecoyKind, daysBefore } from '../decoy.ts';
import { anthropicKey } from '../vendors/anthropic-key.ts';
import { urlPassword } from '../vendors/url-password.ts';

const commands = [
  'git status',
  'git pull --rebase',
  'npm run build',
  'npm test',
  'docker compose up -d',
  'docker compose logs -f api',
  'kubectl get pods',
  'ssh bastion',
  'vim .env',
  'ls -la',
  'cd ~/projects/billing-api',
  'git checkout -b fix/rounding',
  'git commit -am "Round invoices per line"',
  'git push -u origin HEAD',
  'terraform plan',
] as const;
const commandCount = 120;
const historyDays = 30;

export const history: DecoyKind = {
  id: 'history',
  title: 'Shell history with a secret or two typed in',
  make: (context) => ({
    files: [
      baitFile(context, '.bash_history', [urlPassword, anthropicKey], (password, key) => {
        const secrets = [
          `PGPASSWORD=${password} psql -h db.${context.person.company}.example -U billing billing`,
          `export ANTHROPIC_API_KEY=${key}`,
        ];
        const lines: string[] = Array.from({ length: commandCount }, () => context.random.pick(commands));
        secrets.forEach((line, index) => {
          lines[30 + index * 47] = line;
        });
        const start = daysBefore(context.now, historyDays).getTime() / 1000;
        const step = (historyDays * 86_400) / commandCount;
        return `${lines.map((line, index) => `#${Math.floor(start + index * step)}\n${line}`).join('\n')}\n`;
      }),
    ],
  }),
};
