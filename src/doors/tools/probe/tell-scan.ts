import type { ScanResult } from '../../../instruments/probe/contract.ts';
import type { ResponseCollector } from '../contract.ts';

/** A result in words; what the target chose stands in a fence. */

const mostShown = 100;

export function tellScan(result: ScanResult, out: ResponseCollector): void {
  const { tool, target, status, findings, notes, network, elapsed_ms: elapsed, scope } = result;
  // What is only told of a target is shown too, and is nothing that was found wrong.
  const claims = findings.filter(({ kind }) => kind !== 'fact').length;
  const count = claims === 1 ? '1 finding' : `${claims} findings`;
  out.say(
    `${tool} of ${target}: ${status} after ${(elapsed / 1000).toFixed(1)} s, ${count}. Scope ${scope.fingerprint.slice(0, 12)}.`,
  );
  if (findings.length > 0) {
    const shown = findings.slice(0, mostShown).map((finding) => JSON.stringify(finding));
    const more = findings.length > shown.length ? `\n… ${findings.length - shown.length} more` : '';
    out.quote({ label: `${tool} about ${target}`, text: shown.join('\n') + more });
  }
  if (notes.length > 0) out.quote({ label: `notes on ${tool}`, text: notes.join('\n') });
  if (network.by === 'outside') out.say('Hotcell did not keep the scope on the wire here: the host has to.');
  if (network.refused.length > 0) {
    const lines = network.refused.map(({ to, because, count: times }) => `${to}: ${because} (${times}x)`);
    out.quote({ label: 'what was tried beyond the aim and stopped', text: lines.join('\n') });
  }
}
