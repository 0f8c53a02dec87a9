import { baitFile, type DecoyContext, type DecoyFile, type DecoyKind, daysBefore } from '../decoy.ts';
import { alphabets } from '../random.ts';
import { makeUuid } from '../uuid.ts';
import { azureSecret } from '../vendors/azure-secret.ts';
import { digitaloceanToken } from '../vendors/digitalocean-token.ts';
import { gcpPrivateKey } from '../vendors/gcp-private-key.ts';
import { googleRefreshToken } from '../vendors/google-refresh-token.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function gcloud(context: DecoyContext): readonly DecoyFile[] {
  const { random, person } = context;
  const project = `${person.company}-prod`;
  const client = `${random.text(alphabets.digits, 12)}-${random.text(alphabets.base32.toLowerCase(), 32)}.apps.googleusercontent.com`;
  return [
    baitFile(context, '.config/gcloud/application_default_credentials.json', [googleRefreshToken], (token) =>
      json({
        account: '',
        client_id: client,
        refresh_token: token,
        type: 'authorized_user',
        quota_project_id: project,
      }),
    ),
    baitFile(context, `.config/gcloud/${project}-deployer.json`, [gcpPrivateKey], (key) =>
      json({
        type: 'service_account',
        project_id: project,
        private_key_id: random.text(alphabets.hex, 40),
        private_key: key,
        client_email: `deployer@${project}.iam.gserviceaccount.com`,
        client_id: random.text(alphabets.digits, 21),
        token_uri: 'https://oauth2.googleapis.com/token',
      }),
    ),
  ];
}

export const clouds: DecoyKind = {
  id: 'clouds',
  title: 'Google Cloud, Azure and DigitalOcean credentials',
  make: (context) => ({
    files: [
      ...gcloud(context),
      baitFile(context, '.azure/service_principal_entries.json', [azureSecret], (secret) =>
        json([{ client_id: makeUuid(context.random), tenant: makeUuid(context.random), client_secret: secret }]),
      ),
      baitFile(
        context,
        '.config/doctl/config.yaml',
        [digitaloceanToken],
        (token) =>
          `access-token: ${token}\ncontext: default\noutput: text\n# since ${daysBefore(context.now, 97).toISOString()}\n`,
      ),
    ],
  }),
};
