import { baitFile, type DecoyKind, plainFile } from '../decoy.ts';
import { awsAccessKey } from '../vendors/aws-access-key.ts';
import { awsSecretKey } from '../vendors/aws-secret-key.ts';
import { azureStorageKey } from '../vendors/azure-storage-key.ts';
import { googleApiKey } from '../vendors/google-api-key.ts';
import { openaiKey } from '../vendors/openai-key.ts';
import { sendgridKey } from '../vendors/sendgrid-key.ts';
import { slackToken } from '../vendors/slack-token.ts';
import { stripeKey } from '../vendors/stripe-key.ts';
import { urlPassword } from '../vendors/url-password.ts';

const server = `import { createServer } from 'node:http';
import { config } from './config.js';
import { invoiceTotal } from './invoice.js';

createServer(async (request, response) => {
  const lines = await readLines(request);
  response.end(JSON.stringify({ total: invoiceTotal(lines), currency: config.currency }));
}).listen(config.port);

async function readLines(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
`;

const invoice = `export function invoiceTotal(lines) {
  return lines.reduce((sum, line) => sum + Math.round(line.quantity * line.price * 100), 0) / 100;
}
`;

export const projects: DecoyKind = {
  id: 'projects',
  title: 'A source tree with secrets in it',
  make: (context) => {
    const { company } = context.person;
    return {
      files: [
        baitFile(
          context,
          '.env',
          [openaiKey, stripeKey],
          (openai, stripe) => `OPENAI_API_KEY=${openai}\nSTRIPE_SECRET_KEY=${stripe}\nNODE_ENV=development\n`,
        ),
        baitFile(
          context,
          'projects/billing-api/.env',
          [urlPassword, sendgridKey, awsAccessKey, awsSecretKey],
          (password, sendgrid, id, secret) =>
            `DATABASE_URL=postgres://billing:${password}@db.${company}.example:5432/billing\nSENDGRID_API_KEY=${sendgrid}\nAWS_ACCESS_KEY_ID=${id}\nAWS_SECRET_ACCESS_KEY="${secret}"\nPORT=8080\n`,
        ),
        baitFile(
          context,
          'projects/billing-api/src/config.js',
          [slackToken, googleApiKey],
          (slack, google) =>
            `export const config = {\n  port: Number(process.env.PORT ?? 8080),\n  currency: 'EUR',\n  slackToken: process.env.SLACK_TOKEN ?? '${slack}',\n  mapsKey: '${google}',\n};\n`,
          0o644,
        ),
        baitFile(
          context,
          'projects/billing-api/deploy/backup.sh',
          [azureStorageKey],
          (key) =>
            `#!/bin/sh\nset -eu\nexport AZURE_STORAGE_CONNECTION_STRING="DefaultEndpointsProtocol=https;AccountName=${company}backup;AccountKey=${key};EndpointSuffix=core.windows.net"\npg_dump billing | gzip > /tmp/billing.sql.gz\naz storage blob upload -f /tmp/billing.sql.gz -c backups -n "billing-$(date +%F).sql.gz"\n`,
          0o755,
        ),
        plainFile('projects/billing-api/src/server.js', server),
        plainFile('projects/billing-api/src/invoice.js', invoice),
        plainFile(
          'projects/billing-api/package.json',
          `${JSON.stringify({ name: `@${company}/billing-api`, version: '2.4.1', private: true, type: 'module', scripts: { start: 'node src/server.js', test: 'node --test' } }, null, 2)}\n`,
        ),
        plainFile(
          'projects/billing-api/README.md',
          '# billing-api\n\nMakes invoices. `npm start`, then POST lines to `/`.\n',
        ),
      ],
    };
  },
};
