import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../../base/finding-schema.ts';
import { createRandom, vendors } from '../../../../engine/decoy/index.ts';
import { entropyOf, looksRandom } from '../../../../targets/secrets/entropy.ts';
import { readFormats } from '../../../../targets/secrets/formats.ts';
import { isExampleToken, isPlaceholder } from '../../../../targets/secrets/placeholder.ts';
import { scanText } from '../../../../targets/secrets/scan-text.ts';
import { makeTargetFolder } from '../target-folder.ts';
import { inspectSecrets, inspectTextForSecrets, redact, secretRules } from './index.ts';

function inspect(files: Readonly<Record<string, string>>) {
  using folder = makeTargetFolder(files);
  const inspection = inspectSecrets(folder);
  for (const finding of inspection.findings) findingSchema.parse(finding);
  return inspection;
}

const formats = readFormats();
const names = (text: string, path = 'index.js'): readonly string[] =>
  inspect({ [path]: text }).data.found.map(({ kind, name }) => (kind === 'format' ? name : kind));

describe('the rules', () => {
  it.each(Object.values(secretRules))('$id: its own examples', ({ id, fires, silent }) => {
    expect(inspect(fires).findings.map(({ rule }) => rule)).toContain(id);
    expect(inspect(silent).findings).toEqual([]);
  });
});

/** Secrets that have no form of their own are found by their surroundings or not at all. */
const withoutForm = new Set([
  'aws-secret-key',
  'bitwarden-vault-key',
  'ethereum-cipher-text',
  'github-oauth',
  'kubernetes-token',
  'password',
  'session-cookie',
  'solana-key',
  'url-password',
  'azure-secret',
  'docker-password',
  'gcp-private-key',
  'ssh-key',
  'azure-storage-key',
]);

describe('tokens as vendors make them', () => {
  it.each(vendors.filter(({ id }) => !withoutForm.has(id)))('$id is found by its form, every time', (vendor) => {
    const random = createRandom(`secrets ${vendor.id}`);
    const missed = Array.from({ length: 200 }, () => vendor.make(random).token).filter(
      (token) => !names(`const value = "${token}";`).includes(vendor.id),
    );
    // Random letters spell an example once in a while.
    expect(missed.length).toBeLessThanOrEqual(2);
  });

  it.each(['gcp-private-key', 'ssh-key'])('%s is found as a private key', (id) => {
    const vendor = vendors.find((one) => one.id === id);
    const token = vendor?.make(createRandom('x')).token ?? '';
    expect(names(token)).toContain('private-key');
    expect(names(JSON.stringify({ key: token }), 'service.json')).toContain('private-key');
  });
});

describe('what is no secret', () => {
  it.each<[string, string]>([
    ['an AWS example', ['key = "AKIA', 'IOSFODNN7EXAMPLE"'].join('')],
    ['a GitHub token whose checksum is wrong', `x = "ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}"`],
    ['x for letters', `token = "glpat-${'x'.repeat(20)}"`],
    ['a template', 'api_key: "<your-api-key-goes-here>"'],
    ['a reference', 'token: "${env:GITHUB_TOKEN_OF_THE_BUILD_1}"'],
    ['the environment', 'const token = process.env.TOKEN ?? "";'],
    ['a name that holds the word', 'const tokenUrl = "https://auth.example.org/oauth2/v4/Token9x";'],
    ['a sentence', 'password: "Please enter the password of the account number 1"'],
    ['a path', 'secretPath = "/run/secrets/Database1/Value2/Key3"'],
    ['words with dashes', 'token_type = "urn-ietf-params-oauth-grant-type-2"'],
    ['an identifier', 'const apiKey = "OPENAI_API_KEY_FOR_2025";'],
    ['local development', 'url = "postgres://postgres:Zq8xV2mK1t@localhost/app"'],
    ['a shape in documentation', 'postgresql://user:pass1234@host:5432/db'],
    ['an i18n key', '"password.reset.token": "errors.v2.Password3Reset"'],
    ['a Stripe test key', `key = "sk_test_${'4eC39HqLyjWDarjtT1zdp7dc'}"`],
    ['the alphabet', 'const token = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"'],
    ['a hash in an integrity field', `"integrity": "sha512-${Buffer.alloc(64, 9).toString('base64')}"`],
  ])('%s', (_, text) => {
    expect(names(text)).toEqual([]);
  });
});

describe('values that a name makes secrets', () => {
  const value = ['q7Z', 'mX2pL9vRk4TnB8wYc1'].join('');
  it.each<[string, string, string]>([
    ['JSON', `{"clientSecret": "${value}"}`, 'config.json'],
    ['YAML', `db_password: '${value}'`, 'config.yml'],
    ['Python', `API_TOKEN = "${value}"`, 'a.py'],
    ['.env', `DB_PASSWORD=${value}\n`, '.env'],
    ['an object', `{ apiKey: \`${value}\` }`, 'a.ts'],
    ['minified code', `a={auth_key:"${value}"},b`, 'dist/a.js'],
  ])('%s', (_, text, path) => {
    expect(names(text, path)).toEqual(['assigned']);
  });

  it('are not looked for in lock files, documentation and tests', () => {
    for (const path of ['package-lock.json', 'README.md', 'test/a.js', 'a.map'])
      expect(names(`token: "${value}"`, path)).toEqual([]);
  });
});

describe('one secret in several places', () => {
  it('is one finding', () => {
    const token = ['glpat-', 'Zx8qLm2RtV9wKp4NsY7b'].join('');
    const { findings } = inspect({ 'a.js': `a("${token}");\n\nb("${token}");` });
    expect(findings.map(({ locations }) => locations.map(({ line }) => line))).toEqual([[1, 3]]);
  });
});

describe('no secret leaves the inspector', () => {
  it('is cut in every field of every finding', () => {
    const random = createRandom('redaction');
    for (const vendor of vendors) {
      const { token } = vendor.make(random);
      const inspection = inspect({ 'a.json': JSON.stringify({ api_token: token }), '.env': `SOME_SECRET=${token}` });
      const told = JSON.stringify([inspection, inspectTextForSecrets('config.json', `"password": "${token}"`)]);
      if (token.length > 12) expect(told.includes(token.slice(0, 12)) && !token.startsWith('-----BEGIN')).toBe(false);
      expect(told).not.toContain(token.slice(-12));
    }
  });

  it('shows four characters and the length', () => {
    expect([redact('ghp_abcdefgh'), redact('\u0007\nxy12345')]).toEqual([
      'ghp_… (12 characters)',
      '??xy… (9 characters)',
    ]);
  });
});

describe('the measures', () => {
  it.each<[string, boolean]>([
    ['correct-horse-battery-staple', false],
    ['HelloWorldThisIsText', false],
    ['d41d8cd98f00b204e9800998ecf8427e', true],
    [['Zx8', 'qLm2RtV9wKp4NsY7'].join(''), true],
    ['1111111111111111', false],
    ['com.example.server1.Main2', false],
  ])('%s', (text, isRandom) => {
    expect(looksRandom(text)).toBe(isRandom);
  });

  it('knows placeholders, and letters that are a token all the same', () => {
    expect(['changeme123', '${SECRET}', '<token>', 'aaaaaaaaaaaa', 'q7ZmX2pL9vRk'].map(isPlaceholder)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect([['AKIA', 'IOSFODNN7EXAMPLE'].join(''), ['AKIA', 'Z3QWXN7RLBTESTD5'].join('')].map(isExampleToken)).toEqual([
      true,
      false,
    ]);
    expect(entropyOf('abcd')).toBe(2);
  });

  it('survives any text, and tells lines within it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 1000, unit: 'binary' }), (text) => {
        const lines = text.split('\n').length;
        for (const { line } of scanText(`${text} password="${['Zx8', 'qLm2RtV9wKp4NsY7'].join('')}"`, formats, {
          withEntropy: true,
        }))
          expect(line >= 1 && line <= lines).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('does not hang on long lines', () => {
    for (const text of [
      'a'.repeat(2_000_000),
      'token'.repeat(300_000),
      `${'x:'.repeat(500_000)}`,
      '-----BEGIN PRIVATE KEY-----\n'.repeat(20_000),
      'api_key="'.repeat(100_000),
      'a://b:'.repeat(200_000),
    ]) {
      expect(scanText(text, formats, { withEntropy: true }).length).toBeLessThanOrEqual(200);
    }
  });
});
