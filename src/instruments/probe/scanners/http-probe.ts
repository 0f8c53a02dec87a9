import { z } from 'zod';
import { defineScanner } from '../contract.ts';
import { buildOwn, credentialField, ownScanner, urlField } from './own.ts';

export const httpProbe = defineScanner({
  ...ownScanner,
  name: 'http_probe',
  command: 'http',
  title: 'Probe an HTTP service',
  description:
    'Looks at one URL: status, headers, technologies, TLS, and what is weak about it: missing security headers, cookies, other sites that may read it, error pages, open redirects, listed folders. Up to about 60 harmless requests.',
  positional: 'url',
  input: z.strictObject({ url: urlField, credential: credentialField }),
  examples: [{ input: { url: 'http://192.0.2.7:8080/' }, says: 'what a service is and how it is set up' }],
  aim: (input, means) => means.url(input.url),
  build: (input, means) => buildOwn('http', input, means),
});
