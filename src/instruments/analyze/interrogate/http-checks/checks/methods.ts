import { randomBytes } from 'node:crypto';
import type { Finding } from '../../../../../base/finding-schema.ts';
import { messageOf } from '../ask.ts';
import { claim } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { evidenceOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';
import { hasTools } from './cross-site.ts';

export const methods: HttpCheck = {
  id: 'methods',
  title: 'Does it take methods that are not of the protocol?',
  isGentle: true,
  needs: 'nothing',
  async run(bench) {
    const findings: Finding[] = [];
    const mark = randomBytes(12).toString('hex');
    const traced = await bench.ask({ method: 'TRACE', headers: { 'x-mark': mark } });
    if (traced !== null && traced.status === 200 && traced.exchange.answer().includes(mark))
      findings.push(claim(bench, httpRules.trace, { evidenceClass: 'D', evidence: [evidenceOf(traced.exchange)] }));
    const session = bench.target.endpoint.form === 'sse' ? null : await bench.open();
    const headers = session === null ? {} : { headers: session.headers };
    const put = await bench.ask({ method: 'PUT', ...headers, body: messageOf('tools/list') });
    if (session !== null) await bench.leave(session);
    if (hasTools(put))
      findings.push(claim(bench, httpRules.methods, { evidenceClass: 'D', evidence: [evidenceOf(put.exchange)] }));
    return { findings };
  },
};
