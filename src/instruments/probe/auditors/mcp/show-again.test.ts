import { describe, expect, it } from 'vitest';
import { auditUrl, serve } from '../inquiry/sample-audit.ts';
import { mcpAuditor } from './mcp-auditor.ts';
import { mcpServer, sampleToken } from './sample-server.ts';

const credential = { name: 'own', header: 'authorization', value: sampleToken };

describe('commands for what needs a session', () => {
  it.each([
    ['an open server', { isOpen: true }, {}, 'mcp/tools-without-authentication', 'curl -ski -X POST -H', 2],
    ['a session that lets in', { sessionIsEnough: true }, { credential }, 'mcp/session-as-authentication', '-H', 2],
    ['a session that stays', { undying: true }, { credential }, 'mcp/session-survives-delete', '-X DELETE', 3],
  ] as const)('%s: it opens one of its own', async (_, weak, options, rule, part, count) => {
    const server = await serve(mcpServer(weak));
    const { findings } = await auditUrl(mcpAuditor, `${server.url}/mcp`, options);
    await server.close();
    const { repro = '', evidence = '' } = findings.find((each) => each.rule === rule) ?? {};
    expect(repro.split('curl ')).toHaveLength(count + 1);
    expect(repro).toMatch(/^session=\$\(curl .{1,600}"method":"initialize".{1,300}\); curl /);
    expect(repro).toContain('-H "mcp-session-id: $session"');
    expect(repro).toContain(part);
    // The session of the scan is nobody's business.
    expect(`${repro}${evidence}`).not.toMatch(/mcp-session-id: [0-9a-f-]{20}/);
    // The credential has its place where it was sent, and only there.
    expect(repro.split('<secret>').length - 1).toBe('credential' in options ? (rule.endsWith('delete') ? 3 : 1) : 0);
  });
});
