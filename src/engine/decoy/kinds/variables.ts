import { mintCanary, type Vendor } from '../canary.ts';
import type { DecoyContext, DecoyKind, DecoyVariable } from '../decoy.ts';
import { anthropicKey } from '../vendors/anthropic-key.ts';
import { awsAccessKey } from '../vendors/aws-access-key.ts';
import { awsSecretKey } from '../vendors/aws-secret-key.ts';
import { azureSecret } from '../vendors/azure-secret.ts';
import { digitaloceanToken } from '../vendors/digitalocean-token.ts';
import { githubToken } from '../vendors/github-token.ts';
import { googleApiKey } from '../vendors/google-api-key.ts';
import { npmToken } from '../vendors/npm-token.ts';
import { openaiKey } from '../vendors/openai-key.ts';
import { pypiToken } from '../vendors/pypi-token.ts';
import { slackToken } from '../vendors/slack-token.ts';
import { stripeKey } from '../vendors/stripe-key.ts';
import { urlPassword } from '../vendors/url-password.ts';

interface Bait {
  readonly name: string;
  readonly vendor: Vendor;
  readonly write?: (token: string, context: DecoyContext) => string;
}

/** Secrets of their own: what leaks tells whether it was read from a file or from the environment. */
const baits: readonly Bait[] = [
  { name: 'AWS_ACCESS_KEY_ID', vendor: awsAccessKey },
  { name: 'AWS_SECRET_ACCESS_KEY', vendor: awsSecretKey },
  { name: 'GITHUB_TOKEN', vendor: githubToken },
  { name: 'NPM_TOKEN', vendor: npmToken },
  { name: 'TWINE_PASSWORD', vendor: pypiToken },
  { name: 'OPENAI_API_KEY', vendor: openaiKey },
  { name: 'ANTHROPIC_API_KEY', vendor: anthropicKey },
  { name: 'GOOGLE_API_KEY', vendor: googleApiKey },
  { name: 'AZURE_CLIENT_SECRET', vendor: azureSecret },
  { name: 'DIGITALOCEAN_ACCESS_TOKEN', vendor: digitaloceanToken },
  { name: 'SLACK_BOT_TOKEN', vendor: slackToken },
  { name: 'STRIPE_SECRET_KEY', vendor: stripeKey },
  {
    name: 'DATABASE_URL',
    vendor: urlPassword,
    write: (token, { person }) => `postgres://app:${token}@db.${person.company}.example:5432/app`,
  },
];

export const variables: DecoyKind = {
  id: 'variables',
  title: 'Secrets in environment variables',
  make: (context) => ({
    variables: baits.map(({ name, vendor, write }): DecoyVariable => {
      const canary = mintCanary(vendor, context.random, `variable ${name}`);
      return { name, value: write?.(canary.token, context) ?? canary.token, canaries: [canary] };
    }),
  }),
};
