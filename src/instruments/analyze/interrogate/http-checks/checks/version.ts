import { messageOf, usualHeaders } from '../ask.ts';
import { claim, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { evidenceOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';

const impossible = '1999-01-01';

export const version: HttpCheck = {
  id: 'version',
  title: 'Does it agree on a version that does not exist?',
  isGentle: true,
  needs: 'initialize',
  async run(bench) {
    const { identity } = bench.target;
    const clientInfo = { name: identity.name, version: identity.version };
    const body = messageOf('initialize', { protocolVersion: impossible, capabilities: {}, clientInfo });
    const answer = await bench.ask({ body });
    const id = answer?.headers['mcp-session-id'];
    if (answer != null && id !== undefined)
      await bench.leave({ id, headers: { ...usualHeaders, 'mcp-session-id': id }, answer });
    if (answer?.result?.protocolVersion !== impossible) return nothing;
    return {
      findings: [claim(bench, httpRules.version, { evidenceClass: 'D', evidence: [evidenceOf(answer.exchange)] })],
    };
  },
};
