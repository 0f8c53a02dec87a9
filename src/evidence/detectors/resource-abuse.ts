import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence, mostEvidence } from './behaviour-finding.ts';
import { rawText } from './event-fields.ts';
import { Processes } from './processes.ts';

/** Limits of the box that were reached, and storms of processes. */

const exhausts: RuleText = {
  id: 'behaviour/resource-exhaustion',
  title: 'Uses more of the machine than it was given',
  severity: 'medium',
  axis: 'hostility',
  cwe: ['CWE-400'],
  owasp: ['MCP04'],
  what: 'A limit of the box on processes, memory, disk or output was reached.',
  why: 'Without the limit it would have taken it from everything else on the machine.',
  remediation: 'Run the server with limits. Where it needs that much for its work, raise them knowingly.',
  fires: 'Forty processes at once where thirty-two are allowed.',
  silent: 'Two processes, one after the other.',
};

const storm: RuleText = {
  id: 'behaviour/process-storm',
  title: 'Starts a storm of processes',
  severity: 'high',
  axis: 'hostility',
  cwe: ['CWE-400', 'CWE-506'],
  owasp: ['MCP04'],
  what: 'Within one honest call, or without any call, dozens of processes were started that did not end, or hundreds of them.',
  why: 'It is how a machine is brought to a halt.',
  remediation: 'Do not run this server without a limit on processes.',
  fires: 'A call starts forty processes that sleep.',
  silent: 'A call starts git a few times.',
};

const toldLimits: Readonly<Record<string, string>> = {
  processes: 'processes',
  memoryBytes: 'memory',
  outputBytes: 'output',
  fileBytes: 'the size of a file',
  diskBytes: 'disk',
  openFiles: 'open files',
};
/** A browser starts about a dozen, a build as many as there are cores. */
const mostAlive = 24;
const mostStarted = 400;

interface Window {
  readonly key: string;
  readonly aliveBefore: number;
  started: number;
  mostAlive: number;
  first: Event | null;
}

class ResourceAbuse implements OpenDetector {
  readonly #processes = new Processes();
  readonly #hits = new Map<string, Event[]>();
  readonly #storms: { readonly window: Window; readonly event: Event }[] = [];
  #window: Window = { key: '', aliveBefore: 0, started: 0, mostAlive: 0, first: null };
  #hasAttack = false;

  see(event: Event): void {
    const { kind, phase } = event;
    this.#hasAttack ||= phase === 'attack';
    if (kind === 'limit-hit') this.#seeLimit(event);
    if (kind !== 'fork' && kind !== 'exec' && kind !== 'exit') return;
    this.#processes.see(event);
    if (kind === 'fork' && phase !== 'install' && phase !== 'attack') this.#seeFork(event);
  }

  #seeLimit(event: Event): void {
    const limit = rawText(event.fields.limit) ?? '';
    if (toldLimits[limit] === undefined) return;
    const known = this.#hits.get(limit) ?? [];
    this.#hits.set(limit, known);
    if (known.length < mostEvidence) known.push(event);
  }

  #seeFork(event: Event): void {
    const key = `${event.phase} ${event.call ?? ''}`;
    const { alive } = this.#processes;
    if (this.#window.key !== key)
      this.#window = { key, aliveBefore: alive - 1, started: 0, mostAlive: 0, first: event };
    const window = this.#window;
    window.started += 1;
    window.mostAlive = Math.max(window.mostAlive, alive - window.aliveBefore);
    const isStorm = window.mostAlive >= mostAlive || window.started >= mostStarted;
    if (isStorm && this.#storms.length < mostEvidence && !this.#storms.some((each) => each.window === window))
      this.#storms.push({ window, event });
  }

  findings(): readonly Finding[] {
    return [...this.#tellLimits(), ...this.#tellStorms()];
  }

  #tellLimits(): readonly Finding[] {
    return [...this.#hits].map(([limit, events]) =>
      behaviourFinding(exhausts, {
        identity: [limit],
        title: `Reaches the limit of the box on ${toldLimits[limit] ?? limit}`,
        evidenceClass: 'C',
        // After trials that are meant to exhaust it, it is no longer the server's own idea.
        ...(this.#hasAttack ? { axis: 'weakness', severity: 'low' } : {}),
        attack: ['T1499'],
        evidence: events.map((event) =>
          eventEvidence(event, `limit on ${limit}: ${rawText(event.fields.detail) ?? ''}`),
        ),
      }),
    );
  }

  #tellStorms(): readonly Finding[] {
    const [first] = this.#storms;
    if (first === undefined) return [];
    const { mostAlive: together, started } = first.window;
    return [
      behaviourFinding(storm, {
        identity: [],
        title: `Starts ${started} processes at once, ${together} of which do not end`,
        evidenceClass: 'B',
        attack: ['T1499'],
        evidence: this.#storms.flatMap(({ window, event }) => [
          ...(window.first === null ? [] : [eventEvidence(window.first, 'the first of them')]),
          eventEvidence(event, `process number ${window.started}`),
        ]),
      }),
    ];
  }
}

export const resourceAbuse: Detector = {
  id: 'resource-abuse',
  title: 'Limits that were reached',
  rules: [exhausts, storm],
  open: () => new ResourceAbuse(),
};
