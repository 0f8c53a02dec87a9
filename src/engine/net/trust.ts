import { readFile } from 'node:fs/promises';
import { routerAddress } from './layout.ts';

/** What a box needs in order to take the fake internet for the real one. */

export interface TrustFile {
  /** Path inside the box. */
  readonly path: string;
  readonly content: string;
}

export interface Trust {
  readonly files: readonly TrustFile[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Where the systems that we know keep the certificates that they trust, in the order in which we look. */
const systemBundles: readonly string[] = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
];

/** Variables that name a file with all certificates to trust. */
const bundleVariables: readonly string[] = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'PIP_CERT',
  'npm_config_cafile',
  'GIT_SSL_CAINFO',
  'AWS_CA_BUNDLE',
  'DENO_CERT',
  'CARGO_HTTP_CAINFO',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
];

/** Variables that name a file with certificates to trust on top of those that come with the program. */
const extraVariables: readonly string[] = ['NODE_EXTRA_CA_CERTS'];

export interface TrustOptions {
  readonly authorityPem: string;
  /** Folder inside the box for the two files; it must be readable to the target. */
  readonly folder: string;
  /** The host's own bundle, which the box's is made from. Default: the first that exists. */
  readonly systemBundle?: string;
  /** Whether the box's own view of the system's bundles can be replaced. Default: true. */
  readonly hasSystemFiles?: boolean;
}

async function readSystemBundle(): Promise<string> {
  for (const path of systemBundles) {
    const content = await readFile(path, 'utf8').catch(() => null);
    if (content !== null) return content;
  }
  return '';
}

/** The box's resolver is the router. */
export const resolverFile: TrustFile = {
  path: '/etc/resolv.conf',
  content: `nameserver ${routerAddress.ipv4}\noptions timeout:2 attempts:2\n`,
};

export async function trustFiles(options: TrustOptions): Promise<Trust> {
  const { authorityPem, folder, hasSystemFiles = true } = options;
  const system = options.systemBundle ?? (await readSystemBundle());
  const bundle = `${system}${system === '' || system.endsWith('\n') ? '' : '\n'}${authorityPem}`;
  const own = { authority: `${folder}/authority.pem`, bundle: `${folder}/bundle.pem` };
  const replaced = hasSystemFiles ? systemBundles.map((path) => ({ path, content: bundle })) : [];
  return {
    files: [
      { path: own.authority, content: authorityPem },
      { path: own.bundle, content: bundle },
      resolverFile,
      ...replaced,
    ],
    environment: Object.fromEntries([
      ...bundleVariables.map((name) => [name, own.bundle]),
      ...extraVariables.map((name) => [name, own.authority]),
    ]),
  };
}
