import type { Audit, Auditor } from '../contract.ts';
import { Inquiry, runPhases } from '../inquiry/inquiry.ts';
import { type Access, type Entrance, enter, leave } from './access.ts';
import { checkAuthorization } from './authorization.ts';
import { checkBatch, checkErrors, checkLongId, checkVersion } from './input-checks.ts';
import { checkListing } from './listing.ts';
import { mcpGroup, mcpRules } from './rules.ts';
import { checkSessions } from './sessions.ts';
import { checkHost, checkOrigin } from './strangers.ts';
import type { McpInquiry } from './talk.ts';
import { checkPlainHttp, findLegacyStream } from './transport.ts';

const mostRequests = 150;

/** With access, one after the other: each begins with a proper request and changes one thing. */
const checks: readonly { readonly name: string; run(inquiry: McpInquiry, access: Access): Promise<void> }[] = [
  { name: 'listing', run: checkListing },
  { name: 'host', run: checkHost },
  { name: 'origin', run: checkOrigin },
  { name: 'version', run: checkVersion },
  { name: 'batch', run: checkBatch },
  { name: 'long id', run: checkLongId },
  { name: 'errors', run: checkErrors },
  { name: 'sessions', run: checkSessions },
  { name: 'leave', run: (inquiry, { hello, usual }) => leave(inquiry, hello, usual) },
];

/** Looks at an MCP endpoint and never calls a tool. */
export const mcpAuditor: Auditor = {
  name: 'mcp',
  async run(audit: Audit): Promise<void> {
    const inquiry: McpInquiry = new Inquiry(audit, { group: mcpGroup, rules: mcpRules, mostRequests });
    let entrance: Entrance = { access: null, refusal: null, isMcp: false };
    await runPhases(inquiry, [
      {
        name: 'greeting',
        run: async () => {
          entrance = await enter(inquiry);
          if (entrance.refusal !== null) await checkAuthorization(inquiry, entrance.refusal);
          const isThere = entrance.isMcp || (entrance.refusal === null && (await findLegacyStream(inquiry)));
          if (isThere) checkPlainHttp(inquiry);
        },
      },
      ...checks.map(({ name, run }) => ({
        name,
        run: async () => (entrance.access === null ? undefined : await run(inquiry, entrance.access)),
      })),
    ]);
  },
};
