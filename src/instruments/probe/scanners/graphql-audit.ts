import { z } from 'zod';
import { defineScanner } from '../contract.ts';
import { buildOwn, credentialField, ownScanner, urlField } from './own.ts';

export const graphqlAudit = defineScanner({
  ...ownScanner,
  name: 'graphql_audit',
  command: 'graphql',
  title: 'Audit a GraphQL endpoint',
  description:
    'Looks at one GraphQL endpoint: introspection, suggestions in errors, limits on depth, aliases, directives and batches, operations over GET and forms, traces, tracing and interactive pages. Asks for names of types only, changes nothing. Up to 80 requests.',
  positional: 'url',
  input: z.strictObject({
    url: urlField.describe('URL of the GraphQL endpoint inside the scope'),
    credential: credentialField,
  }),
  examples: [{ input: { url: 'http://192.0.2.7:8080/graphql' }, says: 'how an endpoint is set up' }],
  aim: (input, means) => means.url(input.url),
  build: (input, means) => buildOwn('graphql', input, means),
});
