import type { ScannerDefinition } from '../contract.ts';
import { arjunParams } from './arjun.ts';
import { ffufDiscover } from './ffuf.ts';
import { graphqlAudit } from './graphql-audit.ts';
import { httpProbe } from './http-probe.ts';
import { jwtAudit } from './jwt-audit.ts';
import { mcpProbe } from './mcp-probe.ts';
import { nmapScan } from './nmap.ts';
import { nucleiScan } from './nuclei.ts';
import { openapiAudit } from './openapi-audit.ts';
import { tlsAudit } from './tls-audit.ts';

/** Every scanner; one line each. */
export const scanners: readonly ScannerDefinition[] = [
  nmapScan,
  ffufDiscover,
  arjunParams,
  nucleiScan,
  httpProbe,
  openapiAudit,
  tlsAudit,
  graphqlAudit,
  jwtAudit,
  mcpProbe,
];
