import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { canaryLeft } from './canary-left.ts';
import { decoyRead } from './decoy-read.ts';
import { hiddenProcess } from './hidden-process.ts';
import { installBehaviour } from './install-behaviour.ts';
import { leftRunning } from './left-running.ts';
import { mining } from './mining.ts';
import { outsideBusiness } from './outside-business.ts';
import { persistence } from './persistence.ts';
import { resourceAbuse } from './resource-abuse.ts';
import { reverseShell } from './reverse-shell.ts';
import { runDetectorsOf } from './run-detectors.ts';
import { undeclaredHost } from './undeclared-host.ts';
import { unpackedCode } from './unpacked-code.ts';

export { contactedHosts } from './contacted-hosts.ts';

/** A detector is one file and one line here. */
export const detectors: readonly Detector[] = [
  canaryLeft,
  decoyRead,
  undeclaredHost,
  persistence,
  leftRunning,
  hiddenProcess,
  reverseShell,
  mining,
  unpackedCode,
  installBehaviour,
  resourceAbuse,
  outsideBusiness,
];

export const detectorRules: readonly RuleText[] = detectors.flatMap(({ rules }) => rules);

export function runDetectors(
  events: AsyncIterable<Event> | Iterable<Event>,
  context: DetectorContext,
): Promise<readonly Finding[]> {
  return runDetectorsOf(detectors, events, context);
}
