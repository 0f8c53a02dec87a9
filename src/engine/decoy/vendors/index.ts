import type { Vendor } from '../canary.ts';
import { anthropicKey } from './anthropic-key.ts';
import { awsAccessKey } from './aws-access-key.ts';
import { awsSecretKey } from './aws-secret-key.ts';
import { azureSecret } from './azure-secret.ts';
import { azureStorageKey } from './azure-storage-key.ts';
import { bitwardenVaultKey } from './bitwarden-vault-key.ts';
import { digitaloceanToken } from './digitalocean-token.ts';
import { dockerPassword } from './docker-password.ts';
import { ethereumCipherText } from './ethereum-cipher-text.ts';
import { gcpPrivateKey } from './gcp-private-key.ts';
import { githubFine } from './github-fine.ts';
import { githubOauth } from './github-oauth.ts';
import { githubToken } from './github-token.ts';
import { gitlabToken } from './gitlab-token.ts';
import { googleApiKey } from './google-api-key.ts';
import { googleRefreshToken } from './google-refresh-token.ts';
import { kubernetesToken } from './kubernetes-token.ts';
import { npmToken } from './npm-token.ts';
import { openaiKey } from './openai-key.ts';
import { password } from './password.ts';
import { pypiToken } from './pypi-token.ts';
import { sendgridKey } from './sendgrid-key.ts';
import { sessionCookie } from './session-cookie.ts';
import { slackToken } from './slack-token.ts';
import { solanaKey } from './solana-key.ts';
import { sshKey } from './ssh-key.ts';
import { stripeKey } from './stripe-key.ts';
import { urlPassword } from './url-password.ts';

/** Every kind of secret that can be planted: a new one is a file and a line here. */
export const vendors = [
  anthropicKey,
  awsAccessKey,
  awsSecretKey,
  azureSecret,
  azureStorageKey,
  bitwardenVaultKey,
  digitaloceanToken,
  dockerPassword,
  ethereumCipherText,
  gcpPrivateKey,
  githubFine,
  githubOauth,
  githubToken,
  gitlabToken,
  googleApiKey,
  googleRefreshToken,
  kubernetesToken,
  npmToken,
  openaiKey,
  password,
  pypiToken,
  sendgridKey,
  sessionCookie,
  slackToken,
  solanaKey,
  sshKey,
  stripeKey,
  urlPassword,
] as const satisfies readonly Vendor[];
