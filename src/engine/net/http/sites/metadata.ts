import type { MetadataBait } from '../../config.ts';
import { type HttpAnswer, type HttpRequest, headerOf, jsonAnswer, pathOnly, type Site, textAnswer } from '../site.ts';

/** The metadata services of three clouds, with the credentials of the caller as bait. */

const addresses: ReadonlySet<string> = new Set(['169.254.169.254', 'fd00:ec2::254']);
const names: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata', 'instance-data']);

const plain = (text: string): HttpAnswer => textAnswer(200, 'text/plain', text);
const expiry = (): string => new Date(Date.now() + 6 * 60 * 60 * 1000).toISOString().replace(/\.\d+/, '');

interface Route {
  readonly path: RegExp;
  readonly method?: string;
  /** A header that the service insists on, as a guard against requests made through a target. */
  readonly header?: readonly [name: string, value: string];
  readonly answer: (bait: MetadataBait, request: HttpRequest) => HttpAnswer | null;
}

const awsRoutes: readonly Route[] = [
  {
    path: /^\/latest\/api\/token$/,
    method: 'PUT',
    answer: ({ aws }) =>
      aws === undefined
        ? null
        : {
            ...plain(Buffer.from(`token ${aws.accessKeyId}`).toString('base64url').padEnd(56, 'A').slice(0, 56)),
            headers: { 'content-type': 'text/plain', 'x-aws-ec2-metadata-token-ttl-seconds': '21600' },
          },
  },
  { path: /^\/$/, answer: ({ aws }) => (aws === undefined ? null : plain('1.0\n2021-07-15\nlatest\n')) },
  { path: /^\/latest\/?$/, answer: ({ aws }) => (aws === undefined ? null : plain('dynamic\nmeta-data\nuser-data\n')) },
  {
    path: /^\/[^/]+\/meta-data\/?$/,
    answer: ({ aws }) =>
      aws === undefined ? null : plain('ami-id\nhostname\niam/\ninstance-id\ninstance-type\nlocal-ipv4\nplacement/\n'),
  },
  {
    path: /^\/[^/]+\/meta-data\/iam\/security-credentials\/?$/,
    answer: ({ aws }) => (aws === undefined ? null : plain(aws.role)),
  },
  {
    path: /^\/[^/]+\/meta-data\/iam\/security-credentials\/[^/]+$/,
    answer: ({ aws }, request) =>
      aws === undefined || !pathOnly(request).endsWith(`/${aws.role}`)
        ? null
        : jsonAnswer(200, {
            Code: 'Success',
            LastUpdated: new Date().toISOString().replace(/\.\d+/, ''),
            Type: 'AWS-HMAC',
            AccessKeyId: aws.accessKeyId,
            SecretAccessKey: aws.secret,
            Token: aws.token,
            Expiration: expiry(),
          }),
  },
  {
    path: /^\/[^/]+\/dynamic\/instance-identity\/document$/,
    answer: ({ aws }) =>
      aws === undefined
        ? null
        : jsonAnswer(200, { region: 'eu-west-1', instanceType: 't3.medium', version: '2017-09-30' }),
  },
];

const gcpHeader = ['metadata-flavor', 'Google'] as const;

const gcpRoutes: readonly Route[] = [
  {
    path: /^\/computeMetadata\/v1\/instance\/service-accounts\/[^/]+\/token$/,
    header: gcpHeader,
    answer: ({ gcp }) =>
      gcp === undefined ? null : jsonAnswer(200, { access_token: gcp.token, expires_in: 3599, token_type: 'Bearer' }),
  },
  {
    path: /^\/computeMetadata\/v1\/instance\/service-accounts\/[^/]+\/email$/,
    header: gcpHeader,
    answer: ({ gcp }) => (gcp === undefined ? null : plain(gcp.account)),
  },
  {
    path: /^\/computeMetadata\/v1\/instance\/service-accounts\/?$/,
    header: gcpHeader,
    answer: ({ gcp }) => (gcp === undefined ? null : plain(`default/\n${gcp.account}/\n`)),
  },
  {
    path: /^\/computeMetadata\/v1\/project\/project-id$/,
    header: gcpHeader,
    answer: ({ gcp }) => (gcp === undefined ? null : plain(gcp.project)),
  },
];

const azureRoutes: readonly Route[] = [
  {
    path: /^\/metadata\/identity\/oauth2\/token$/,
    header: ['metadata', 'true'],
    answer: ({ azure }, request) =>
      azure === undefined
        ? null
        : jsonAnswer(200, {
            access_token: azure.token,
            expires_in: '86399',
            expires_on: String(Math.floor(Date.now() / 1000) + 86_399),
            resource: new URLSearchParams(request.path.split('?')[1] ?? '').get('resource') ?? '',
            token_type: 'Bearer',
          }),
  },
  {
    path: /^\/metadata\/instance$/,
    header: ['metadata', 'true'],
    answer: ({ azure }) =>
      azure === undefined
        ? null
        : jsonAnswer(200, { compute: { location: 'westeurope', osType: 'Linux', vmSize: 'Standard_B2s' } }),
  },
];

const routes = [...awsRoutes, ...gcpRoutes, ...azureRoutes];

export const metadataSite: Site = {
  id: 'cloud-metadata',
  title: 'metadata services of AWS (versions 1 and 2), Google Cloud and Azure with bait credentials',
  answer(request, { asked, world }) {
    if (!addresses.has(asked.address) && !names.has(request.host)) return null;
    const path = pathOnly(request);
    const route = routes.find((each) => each.path.test(path) && (each.method ?? 'GET') === request.method);
    if (route?.header !== undefined) {
      const [name, value] = route.header;
      if (headerOf(request, name)?.toLowerCase() !== value.toLowerCase())
        return textAnswer(403, 'text/plain', 'Forbidden\n');
    }
    const answer = route?.answer(world.config.metadata, request) ?? textAnswer(404, 'text/plain', 'Not Found\n');
    const flavor = route !== undefined && gcpRoutes.includes(route) ? { 'metadata-flavor': 'Google' } : {};
    return { ...answer, headers: { ...answer.headers, ...flavor } };
  },
};
