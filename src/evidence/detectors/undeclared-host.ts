import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence } from './behaviour-finding.ts';
import { CallBook } from './calls.ts';
import { type Contact, contactsOf, isBareAndPublic, isCovered, isPublicAddress, zoneOf } from './hosts.ts';
import { type KnownHosts, readKnownHosts } from './rules-file.ts';

/** Hosts that a server talks to and never speaks of. Installing is judged elsewhere. */

const undeclared: RuleText = {
  id: 'behaviour/undeclared-host',
  title: 'Talks to a host that it never names',
  severity: 'medium',
  axis: 'hostility',
  cwe: ['CWE-1059'],
  owasp: ['MCP02', 'MCP04'],
  what: 'A name was looked up, or a host contacted, that neither the documentation nor the manifest nor an argument names, and no call of ours either.',
  why: 'Whoever installs a server cannot agree to what is not said. It may be an API that the README forgot; it may be where data goes.',
  remediation: 'Ask the authors what the host is for, or run the server under a policy that does not let it through.',
  fires: 'A server that rolls dice looks up gather.example.',
  silent: 'A server asks weather.example, as its README says.',
};

const telemetry: RuleText = {
  id: 'behaviour/undeclared-telemetry',
  title: 'Sends telemetry that it does not mention',
  severity: 'low',
  axis: 'exposure',
  cwe: ['CWE-359'],
  owasp: ['MCP08', 'MCP10'],
  what: 'A host was contacted that collects reports about use or errors, and the documentation does not name it.',
  why: 'Such reports can hold arguments, paths and names of the user.',
  remediation: 'Look for the switch that turns it off, or do not let the host through.',
  fires: 'A server contacts o1.ingest.sentry.io.',
  silent: 'The README says that errors are reported to sentry.io.',
};

const bare: RuleText = {
  id: 'behaviour/bare-address',
  title: 'Talks to an address without a name',
  severity: 'medium',
  axis: 'hostility',
  cwe: ['CWE-506'],
  owasp: ['MCP04'],
  what: 'A connection to a public address that no name was looked up for and that nobody gave.',
  why: 'Services have names. An address in the code avoids everything that watches names.',
  remediation: 'Ask the authors whose address it is. Do not let it through.',
  fires: 'connect to 45.77.1.2, port 4444.',
  silent: 'connect to 127.0.0.1, or to a resolver on port 53.',
};

interface Talk {
  readonly zone: string;
  readonly hosts: Set<string>;
  /** One per sort of event is enough to see how it went. */
  readonly events: Map<Event['kind'], Event>;
  count: number;
}

const mostTalks = 200;
const mostHosts = 5;

class UndeclaredHost implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #known: KnownHosts;
  readonly #calls = new CallBook();
  readonly #talks = new Map<string, Talk>();

  constructor(context: DetectorContext, known: KnownHosts) {
    this.#context = context;
    this.#known = known;
  }

  see(event: Event): void {
    if (event.kind === 'message') this.#calls.see(event);
    if (event.phase === 'install') return;
    for (const contact of contactsOf(event)) if (this.#isStrange(contact, event)) this.#note(contact, event);
  }

  #isStrange(contact: Contact, event: Event): boolean {
    const { host, isBare } = contact;
    const { declaredHosts, registryHosts, trialHosts } = this.#context;
    if (isBare ? !isBareAndPublic(contact) : !host.includes('.')) return false;
    if (isCovered(host, declaredHosts) || isCovered(host, trialHosts) || isCovered(host, registryHosts)) return false;
    if (isCovered(host, this.#known.platform) || this.#calls.isHostNamed(host)) return false;
    // Payloads are read as addresses in ways that nobody foresees.
    return event.phase !== 'attack' || (event.call !== undefined && !this.#calls.couldLead(event));
  }

  #note({ host }: Contact, event: Event): void {
    const zone = zoneOf(host);
    const known = this.#talks.get(zone);
    if (known === undefined && this.#talks.size >= mostTalks) return;
    const talk = known ?? { zone, hosts: new Set(), events: new Map(), count: 0 };
    this.#talks.set(zone, talk);
    talk.count += 1;
    if (talk.hosts.size < mostHosts) talk.hosts.add(host);
    if (!talk.events.has(event.kind)) talk.events.set(event.kind, event);
  }

  findings(): readonly Finding[] {
    return [...this.#talks.values()].map((talk) => this.#tell(talk));
  }

  #tell({ zone, hosts, events, count }: Talk): Finding {
    const [first = zone] = hosts;
    const rule = isPublicAddress(first) ? bare : isCovered(first, this.#known.telemetry) ? telemetry : undeclared;
    const named = hosts.size > 1 ? `${zone} (${hosts.size} names below it or more)` : first;
    const title = {
      [undeclared.id]: `Talks to ${named}, which nothing of it names`,
      [telemetry.id]: `Sends telemetry to ${first}, which nothing of it names`,
      [bare.id]: `Talks to the address ${first} without asking for a name`,
    }[rule.id];
    return behaviourFinding(rule, {
      identity: [zone],
      title: title ?? rule.title,
      evidenceClass: rule === bare ? 'B' : 'C',
      attack: ['T1071'],
      evidence: [...events.values()].map((event) =>
        eventEvidence(event, `${event.kind} for ${first}, ${count} in all`),
      ),
    });
  }
}

export const undeclaredHost: Detector = {
  id: 'undeclared-host',
  title: 'Hosts that nothing names',
  rules: [undeclared, telemetry, bare],
  open: (context) => new UndeclaredHost(context, readKnownHosts()),
};
