import type { Auditor } from './contract.ts';
import { graphqlAuditor } from './graphql/graphql-auditor.ts';
import { httpAuditor } from './http/audit-http.ts';
import { jwtAuditor } from './jwt/audit-jwt.ts';
import { mcpAuditor } from './mcp/mcp-auditor.ts';
import { openapiAuditor } from './openapi/openapi-auditor.ts';
import { tlsAuditor } from './tls/audit-tls.ts';

/** Every auditor, one line each. */
export const auditors: readonly Auditor[] = [
  httpAuditor,
  tlsAuditor,
  jwtAuditor,
  openapiAuditor,
  graphqlAuditor,
  mcpAuditor,
];
