import { because, claim, notChecked, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { proofOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';

const path = '/sse';

const isEventStream = (headers: Readonly<Record<string, string>>): boolean =>
  /^\s*text\/event-stream\b/i.test(headers['content-type'] ?? '');

export const olderForm: HttpCheck = {
  id: 'older-form',
  title: 'Is there an older way in without checks?',
  isGentle: true,
  needs: 'nothing',
  async run(bench) {
    if (bench.target.endpoint.form === 'sse') return notChecked('the older form is the one that is checked already');
    if (!bench.isInside) return notChecked(because.public);
    const plain = await bench.visitAs('plain');
    if (plain.listed > 0 && (await bench.serves(await bench.visitAs('rebound')))) return nothing;
    const headers = { accept: 'text/event-stream', ...bench.headersOf('rebound') };
    const stream = await bench.ask({ method: 'GET', path, headers, isHeadEnough: true });
    if (stream === null || !isEventStream(stream.headers)) return nothing;
    const visited = await bench.visitAt(path, 'rebound');
    if (!visited.hasAgreed || visited.listed === 0) return nothing;
    return {
      findings: [claim(bench, httpRules.olderForm, { evidenceClass: 'A', evidence: proofOf(visited.exchanges) })],
    };
  },
};
