import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { asNumber, asString } from '../../../base/json-shape.ts';
import { minuteMs, secondMs } from '../../../base/limits.ts';
import { readRules } from '../../../base/rules-folder.ts';
import { type Aim, defineScanner, type ScanFinding } from '../contract.ts';
import { findingOfClaim, homeVariables, hostAndPort, type Judgement, judgementFields, portsText } from './of-others.ts';

const usualPorts = '1-1000';
const outputFile = 'nmap.xml';
const timeoutMs = 15 * minuteMs;
/** nmap ends by itself before it is ended, so that it writes its file. */
const hostTimeout = `${(timeoutMs - 30 * secondMs) / secondMs}s`;
const mostAddresses = 16;

const timings = { polite: '-T2', normal: '-T3', fast: '-T4' } as const;
const scanTypes = {
  connect: ['-sT'],
  /** Added to `-sT`: alone it would begin with raw packets, which a box without capabilities cannot send. */
  service: ['-sT', '-sV', '--version-intensity', '4'],
} as const;

const servicesSchema = z.array(
  z.strictObject({ ...judgementFields, services: z.array(z.string()), ports: z.array(z.number().int()) }),
);

const openPort: Judgement = {
  rule: 'nmap/open-port',
  title: 'Open port',
  severity: 'info',
  cwe: [],
  remediation: 'Close the port or put it behind a firewall where nobody outside needs it.',
};

/** nmap takes addresses of one family at a time. */
function addressesOf(aim: Aim): readonly string[] {
  const isSix = isIPv6(aim.addresses[0] ?? '');
  return aim.addresses.filter((address) => isIPv6(address) === isSix).slice(0, mostAddresses);
}

function describeService(finding: ScanFinding): string {
  const { port, protocol, state, service, product, version, extra_info } = finding;
  return [`${port}/${protocol}`, state, service, product, version, extra_info].filter((part) => part != null).join(' ');
}

export const nmapScan = defineScanner({
  name: 'nmap_scan',
  command: 'nmap',
  title: 'Port scan',
  description:
    'Open TCP ports of one address or name of the scope, by plain connections; with scan_type service also what serves them.',
  positional: 'target',
  input: z.strictObject({
    target: z.string().min(1).max(253).describe('literal address or name of the scope'),
    ports: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe(`80, 80,443 or 8000-8100; otherwise those of ${usualPorts} that the scope has`),
    scan_type: z
      .enum(['connect', 'service'])
      .default('connect')
      .describe('service also sends probes to open ports, and is refused where the scope limits URLs or methods'),
    timing: z.enum(['polite', 'normal', 'fast']).default('normal').describe('within the rate of the scope'),
  }),
  needs: { name: 'nmap', package: 'Debian package nmap' },
  screened: false,
  // It reads with recvfrom and asks who sent it, on streams as well: runsc of 2022, on a network of the host, ends of that.
  avoids: 'gvisor',
  timeoutMs,
  examples: [
    { input: { target: '127.0.0.1' }, says: 'the usual ports' },
    { input: { target: '127.0.0.1', ports: '80,443', scan_type: 'service' }, says: 'what serves two ports' },
  ],
  aim({ target, ports, scan_type }, means) {
    const { urls, methods } = means.limits;
    if (scan_type === 'service' && (urls.length > 0 || methods.length > 0)) {
      throw new UsageError('scan_type service sends requests of its own, and the scope limits URLs or methods', {
        hint: 'take scan_type connect',
      });
    }
    const { host, addresses } = means.target(target);
    const ranges = ports === undefined ? means.portsWithin(usualPorts) : means.ports(ports);
    return { label: host, host, addresses, ports: ranges };
  },
  build({ scan_type, timing }, means) {
    const { aim, pace } = means;
    const addresses = addressesOf(means.aim);
    const parallel = timing === 'polite' ? [] : ['--max-parallelism', String(Math.max(1, pace.connections))];
    return {
      argv: [
        'nmap',
        timings[timing],
        ...(isIPv6(addresses[0] ?? '') ? ['-6'] : []),
        '--unprivileged',
        '-v',
        '-Pn',
        '-n',
        ...scanTypes[scan_type],
        '--max-retries',
        '2',
        '--max-rate',
        String(pace.connectionsPerSecond),
        ...parallel,
        '--host-timeout',
        hostTimeout,
        '--stats-every',
        '15s',
        '-p',
        portsText(aim.ports),
        '-oX',
        outputFile,
        ...addresses,
      ],
      files: [],
      environment: homeVariables(means),
      outputFile,
    };
  },
  // Every command line loads the definitions of scanners; few read XML.
  parse: async (output, aim) => {
    const parsed = (await import('../parsers/nmap.ts')).parseNmap(output);
    const scanned = addressesOf(aim);
    const others = aim.addresses.filter((address) => !scanned.includes(address));
    if (others.length === 0) return parsed;
    const note = `${aim.host} has more addresses, which were not scanned: ${others.slice(0, 8).join(', ')}`;
    return { ...parsed, notes: [...parsed.notes, note] };
  },
  judge(findings, aim, again) {
    const table = readRules('probe/services.json', servicesSchema);
    return findings.flatMap((finding) => {
      const port = asNumber(finding.port);
      if (port === undefined) return [];
      const isDetected = finding.is_detected === true;
      const service = asString(finding.service) ?? '';
      const row = table.find(({ services, ports }) => (isDetected ? services.includes(service) : ports.includes(port)));
      const address = aim.addresses.length > 1 ? asString(finding.host) : undefined;
      return findingOfClaim({
        judgement: row ?? openPort,
        axis: 'exposure',
        evidenceClass: row === undefined || isDetected ? 'B' : 'C',
        at: hostAndPort(aim, address, port),
        excerpt: describeService(finding),
        repro: again({ target: aim.host, ports: String(port) }),
      });
    });
  },
});
