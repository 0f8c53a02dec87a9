import type { Toolset } from '../contract.ts';
import { auditSubprocess } from './audit-subprocess.ts';
import { getAuditLog } from './get-audit-log.ts';
import { injectEgressPolicy } from './inject-egress-policy.ts';
import { registerSubprocess } from './register-subprocess.ts';
import { scanCveReplay } from './scan-cve-replay.ts';
import { trackCanary } from './track-canary.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

export const guardToolset: Toolset = {
  id: 'guard',
  title: 'Guard MCP servers',
  tools: [
    registerSubprocess,
    auditSubprocess,
    scanCveReplay,
    trackCanary,
    injectEgressPolicy,
    getAuditLog,
    verifyAuditLog,
  ],
  prompts: [],
  resources: [],
};
