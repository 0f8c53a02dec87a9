import type { Limits } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { BoxRecord, ExitStatus, LimitInForce } from '../../../engine/box/contract.ts';
import { count, formatBytes, formatMs, type Terminal } from '../terminal/index.ts';

const describeLimit: Readonly<Record<keyof Limits, (value: number) => string>> = {
  memoryBytes: (value) => `${formatBytes(value)} memory`,
  processes: (value) => count(value, 'process', 'processes'),
  cpuCores: (value) => count(value, 'core'),
  wallMs: formatMs,
  outputBytes: (value) => `${formatBytes(value)} output`,
  fileBytes: (value) => `${formatBytes(value)} files`,
  diskBytes: (value) => `${formatBytes(value)} disk`,
  openFiles: (value) => `${value} open files`,
};

function describeLimits(limits: readonly LimitInForce[]): string {
  const kept = limits.filter((limit) => limit.by !== 'none').map(({ limit, value }) => describeLimit[limit](value));
  const unkept = limits.filter((limit) => limit.by === 'none').map(({ limit }) => limit);
  return [kept.join(', '), ...(unkept.length === 0 ? [] : [`not limited: ${unkept.join(', ')}`])].join('; ');
}

/** What the box refused, as far as anything counted it. */
function describeDenials(status: ExitStatus): string {
  const parts = [
    ...status.limitsHit.map(({ limit, detail }) => `${limit}: ${detail}`),
    ...(status.droppedOutputBytes > 0 ? [`${formatBytes(status.droppedOutputBytes)} of output dropped`] : []),
  ];
  return parts.length === 0 ? 'no limit hit' : `hit ${parts.join('; ')}`;
}

/** Everything worth knowing about one run, on one line. */
export function renderClosingLine(record: BoxRecord, status: ExitStatus, { style }: Terminal): string {
  const peak = status.peakMemoryBytes === null ? 'peak memory unknown' : `peak ${formatBytes(status.peakMemoryBytes)}`;
  const weaker = record.gaps.filter((gap) => gap.effect === 'open').map((gap) => gap.id);
  const stronger = record.passedOver.map(({ backend }) => backend);
  const parts = [
    `${record.backend}, ${forTerminal(untrusted(record.policy))}`,
    ...(stronger.length === 0 ? [] : [`passed over: ${stronger.join(', ')} (hotcell doctor says why)`]),
    describeLimits(record.limitsInForce),
    `ran ${formatMs(status.wallMs)}, ${peak}`,
    describeDenials(status),
    ...(weaker.length === 0 ? [] : [`weaker than asked: ${[...new Set(weaker)].join(', ')}`]),
  ];
  return `${style.faint(`hotcell: ${parts.join(' | ')}`)}\n`;
}
