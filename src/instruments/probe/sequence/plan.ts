import type { ScannerName } from '../contract.ts';
import type { Probe } from '../probe.ts';
import type { LoadedScope } from '../scope/index.ts';
import { hostsOf, urlsOf } from './hosts.ts';

/** What `probe run` is going to do, before it does anything. */

export interface PlannedStep {
  readonly scanner: ScannerName;
  readonly target: string;
  /** Empty where it is done in any case. */
  readonly when: string;
}

export interface SequencePlan {
  readonly hosts: readonly string[];
  /** Addresses of ranges beyond what one run looks at. */
  readonly leftOut: number;
  readonly steps: readonly PlannedStep[];
  readonly missing: readonly { readonly scanner: ScannerName; readonly because: string }[];
}

const onWeb: readonly ScannerName[] = [
  'http_probe',
  'ffuf_discover',
  'arjun_params',
  'openapi_audit',
  'graphql_audit',
  'mcp_probe',
  'nuclei_scan',
];

export function stepsOf(
  scope: LoadedScope,
  hosts: readonly string[],
  isThere: (name: ScannerName) => boolean,
): readonly PlannedStep[] {
  const steps = hosts.flatMap((host): PlannedStep[] => {
    const urls = urlsOf(scope, host);
    // Without the ports nothing is known that could be looked at.
    if (urls.length === 0 && !isThere('nmap_scan')) return [];
    const web = urls.length > 0 ? urls : [`every port of ${host} that answers HTTP`];
    return [
      { scanner: 'nmap_scan', target: host, when: '' },
      ...web.flatMap((target) =>
        onWeb.map((scanner): PlannedStep => ({ scanner, target, when: urls.length > 0 ? '' : 'where a port is open' })),
      ),
      { scanner: 'tls_audit', target: host, when: 'on ports that speak TLS' },
    ];
  });
  return steps.filter(({ scanner }) => isThere(scanner));
}

export async function planSequence(probe: Probe): Promise<SequencePlan> {
  const { scope } = probe;
  const { hosts, leftOut } = hostsOf(scope);
  const scanners = await probe.available();
  const missing = scanners.flatMap(({ name, because }) => (because === null ? [] : [{ scanner: name, because }]));
  const isThere = (name: ScannerName): boolean => missing.every(({ scanner }) => scanner !== name);
  return { hosts, leftOut, steps: stepsOf(scope, hosts, isThere), missing };
}
