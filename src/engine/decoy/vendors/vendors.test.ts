import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mintCanary, shortestNeedleBytes, type Vendor } from '../canary.ts';
import { createRandom } from '../random.ts';
import { checksum62 } from './checksum.ts';
import { vendors } from './index.ts';

/** What each vendor documents, or what the scanners that look for its tokens expect. */
const shapes: Readonly<Record<string, RegExp>> = {
  'anthropic-key': /^sk-ant-api03-[\w-]{93}AA$/,
  'aws-access-key': /^AKIA[A-Z2-7]{16}$/,
  'aws-secret-key': /^[A-Za-z0-9/+]{40}$/,
  'azure-secret': /^[\w~.-]{3}\dQ~[\w~.-]{34}$/,
  'azure-storage-key': /^[A-Za-z0-9/+]{86}==$/,
  'bitwarden-vault-key': /^2\.[\w+/]{22}==\|[\w+/]+=*\|[\w+/]{43}=$/,
  'digitalocean-token': /^dop_v1_[a-f0-9]{64}$/,
  'docker-password': /^dckr_pat_[\w-]{27}$/,
  'ethereum-cipher-text': /^[0-9a-f]{64}$/,
  'gcp-private-key': /^-----BEGIN PRIVATE KEY-----\n(?:[\w+/=]{1,64}\n)+-----END PRIVATE KEY-----\n$/,
  'github-fine': /^github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}$/,
  'github-oauth': /^gho_[A-Za-z0-9]{36}$/,
  'github-token': /^ghp_[A-Za-z0-9]{36}$/,
  'gitlab-token': /^glpat-[\w-]{20}$/,
  'google-api-key': /^AIza[\w-]{35}$/,
  'google-refresh-token': /^1\/\/0\w[\w-]{60}$/,
  'kubernetes-token': /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{342}$/,
  'npm-token': /^npm_[A-Za-z0-9]{36}$/,
  'openai-key': /^sk-proj-[\w-]{74}T3BlbkFJ[\w-]{74}$/,
  password: /^[\x21-\x7e]{20}$/,
  'pypi-token': /^pypi-AgEIcHlwaS5vcmc[\w-]{50,}$/,
  'sendgrid-key': /^SG\.[\w-]{22}\.[\w-]{43}$/,
  'session-cookie': /^[\w-]{64}$/,
  'slack-token': /^xoxb-\d{10,13}-\d{10,13}-[A-Za-z0-9]{24}$/,
  'solana-key': /^\[(?:\d{1,3},){63}\d{1,3}\]$/,
  'ssh-key': /^-----BEGIN OPENSSH PRIVATE KEY-----\n(?:[\w+/=]{1,70}\n)+-----END OPENSSH PRIVATE KEY-----\n$/,
  'stripe-key': /^sk_live_51[A-Za-z0-9]{97}$/,
  'url-password': /^[A-Za-z0-9]{24}$/,
};

function tokenOf(id: string, seed = 'seed'): string {
  const vendor: Vendor | undefined = vendors.find((each) => each.id === id);
  return vendor?.make(createRandom(seed)).token ?? '';
}

describe('vendors', () => {
  it('all have a shape that is checked here', () => {
    expect(Object.keys(shapes).toSorted()).toEqual(vendors.map(({ id }) => id).toSorted());
  });

  it.each(vendors)('$id has the right format, every time', (vendor: Vendor) => {
    const random = createRandom(vendor.id);
    for (let count = 0; count < 5; count += 1) expect(vendor.make(random).token).toMatch(shapes[vendor.id] ?? /$^/);
  });

  it.each(vendors)('$id follows from its seed and from nothing else', (vendor: Vendor) => {
    expect(mintCanary(vendor, createRandom('a'), 'here')).toEqual(mintCanary(vendor, createRandom('a'), 'here'));
    expect(vendor.make(createRandom('a')).token).not.toBe(vendor.make(createRandom('b')).token);
  });

  it.each(vendors)('$id can be proven by what is really in it', (vendor: Vendor) => {
    const { token, needles } = mintCanary(vendor, createRandom('needles'), 'here');
    for (const needle of needles) expect(needle.length).toBeGreaterThanOrEqual(shortestNeedleBytes);
    expect(needles.some((needle) => token.includes(Buffer.from(needle).toString('latin1')))).toBe(true);
  });
});

describe('checksums', () => {
  it('are those of GitHub', () => {
    expect(checksum62('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ')).toBe('0mLq17');
  });

  it.each(['ghp_', 'gho_', 'npm_'])('stand at the end of %s tokens', (prefix) => {
    const id = { ghp_: 'github-token', gho_: 'github-oauth', npm_: 'npm-token' }[prefix] ?? '';
    const body = tokenOf(id).slice(prefix.length);
    expect(checksum62(body.slice(0, 30))).toBe(body.slice(30));
  });

  it('of fine-grained tokens are over their last part', () => {
    const last = tokenOf('github-fine').split('_').at(-1) ?? '';
    expect(checksum62(last.slice(0, -6))).toBe(last.slice(-6));
  });
});

describe('what is inside', () => {
  it('an AWS key id is an account of twelve digits', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
    const bits = [...tokenOf('aws-access-key').slice(4)].reduce(
      (sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)),
      0n,
    );
    const account = ((bits >> 32n) & 0x7fffffffff80n) >> 7n;
    expect(account.toString()).toMatch(/^\d{12}$/);
  });

  it('a service account key signs', () => {
    const pem = tokenOf('gcp-private-key');
    const signature = sign('sha256', Buffer.from('message'), pem);
    expect(verify('sha256', Buffer.from('message'), createPublicKey(pem), signature)).toBe(true);
    expect(createPrivateKey(pem).asymmetricKeyDetails?.modulusLength).toBe(2048);
  });

  it('a Kubernetes token has claims', () => {
    const [header = '', claims = ''] = tokenOf('kubernetes-token').split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'RS256' });
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toHaveProperty('sub');
  });
});
