import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence } from './behaviour-finding.ts';
import { type Contact, contactsOf, isBareAndPublic, isCovered, zoneOf } from './hosts.ts';
import { type KnownHosts, readKnownHosts } from './rules-file.ts';

/** What an install does besides installing. */

const contact: RuleText = {
  id: 'behaviour/install-contact',
  title: 'Talks to a host while it is installed',
  severity: 'medium',
  axis: 'hostility',
  cwe: ['CWE-506'],
  owasp: ['MCP04'],
  what: 'While the package was installed, a host was contacted that is no registry.',
  why: 'Scripts of an install run on the machine of whoever installs, before anybody has used anything. Most packages need none.',
  remediation: 'Install without scripts, and in a box.',
  fires: 'An install script posts to drop.example.',
  silent: 'The installer asks the registry.',
};

const download: RuleText = {
  id: 'behaviour/install-download',
  title: 'Downloads something while it is installed',
  severity: 'low',
  axis: 'exposure',
  cwe: ['CWE-494'],
  owasp: ['MCP04'],
  what: 'While the package was installed, a host was contacted from which programs are usually downloaded, or one that its documentation names.',
  why: 'What comes from there is not part of the package: no version pins it and nobody has looked at it.',
  remediation: 'Prefer a version that brings its programs along, or check what is fetched.',
  fires: 'An install script fetches a program from github.com.',
  silent: 'A package without install scripts.',
};

interface Talk {
  readonly host: string;
  readonly events: Map<Event['kind'], Event>;
}

const mostTalks = 64;

class InstallBehaviour implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #known: KnownHosts;
  readonly #talks = new Map<string, Talk>();

  constructor(context: DetectorContext, known: KnownHosts) {
    this.#context = context;
    this.#known = known;
  }

  see(event: Event): void {
    if (event.phase !== 'install') return;
    for (const each of contactsOf(event)) {
      if (!this.#isStrange(each)) continue;
      const zone = zoneOf(each.host);
      const known = this.#talks.get(zone);
      if (known === undefined && this.#talks.size >= mostTalks) return;
      const talk = known ?? { host: each.host, events: new Map() };
      this.#talks.set(zone, talk);
      if (!talk.events.has(event.kind)) talk.events.set(event.kind, event);
    }
  }

  #isStrange(each: Contact): boolean {
    const { registryHosts, trialHosts } = this.#context;
    if (each.isBare ? !isBareAndPublic(each) : !each.host.includes('.')) return false;
    return ![registryHosts, trialHosts, this.#known.platform].some((names) => isCovered(each.host, names));
  }

  findings(): readonly Finding[] {
    return [...this.#talks].map(([zone, { host, events }]) => {
      const isDownload = isCovered(host, this.#known.downloads) || isCovered(host, this.#context.declaredHosts);
      return behaviourFinding(isDownload ? download : contact, {
        identity: [zone],
        title: `${isDownload ? 'Downloads from' : 'Talks to'} ${host} while it is installed`,
        evidenceClass: 'C',
        attack: ['T1195.002'],
        evidence: [...events.values()].map((event) => eventEvidence(event, `${event.kind} for ${host}`)),
      });
    });
  }
}

export const installBehaviour: Detector = {
  id: 'install-behaviour',
  title: 'What an install does besides installing',
  rules: [contact, download],
  open: (context) => new InstallBehaviour(context, readKnownHosts()),
};
