import type { Event } from '../../base/event-schema.ts';
import type { EvidenceClass, Finding, Severity } from '../../base/finding-schema.ts';
import { listOf } from '../../engine/sensor/history/index.ts';
import type { Detector, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence, mostEvidence } from './behaviour-finding.ts';
import { programName, programOf, rawText, wordsOf } from './event-fields.ts';
import { type ProgramTable, readPrograms } from './rules-file.ts';

/** Processes that do not want to be seen for what they are, and those that reach into others. */

const hidden: RuleText = {
  id: 'behaviour/hidden-process',
  title: 'Hides what a process is',
  severity: 'medium',
  axis: 'hostility',
  cwe: ['CWE-506', 'CWE-451'],
  owasp: ['MCP04'],
  what: 'A program was started under the name of a part of the kernel or of a daemon of the system, or from memory or from a file that was removed, so that no file shows what it was.',
  why: 'Honest programs have nothing to gain from it.',
  remediation: 'Do not run this server.',
  fires: 'A program in /tmp is started as [kworker/0:1].',
  silent: 'node is started as node.',
};

const reaching: RuleText = {
  id: 'behaviour/reaches-into-process',
  title: 'Reaches into another process',
  severity: 'high',
  axis: 'hostility',
  cwe: ['CWE-506'],
  owasp: ['MCP04', 'MCP02'],
  what: 'A call that reads or steers another process, by a program that is no debugger.',
  why: 'It gets at passwords and keys that are nowhere else, or makes another program do the work.',
  remediation: 'Do not run this server outside of a box.',
  fires: 'python3 attaches to another process with ptrace.',
  silent: 'gdb does.',
};

const becoming: RuleText = {
  id: 'behaviour/becomes-root',
  title: 'Tries to become root',
  severity: 'low',
  axis: 'hostility',
  cwe: ['CWE-250'],
  owasp: ['MCP02'],
  what: 'An interpreter asked the kernel for the identity of root.',
  why: 'A server needs nothing of root.',
  remediation: 'Never start the server as root.',
  fires: 'python3 server.py calls setuid(0).',
  silent: 'sudo does.',
};

interface Seen {
  readonly rule: RuleText;
  readonly title: string;
  readonly evidenceClass: EvidenceClass;
  readonly severity: Severity;
  readonly attack: string;
  readonly events: Event[];
}

const fromMemory = /^\/?memfd:|^\/(?:proc\/(?:self|\d+)|dev)\/fd\/\d+$/;
const removed = / \(deleted\)$/;
/** Asking to be traced is what a debugger's child does, and what a program does that wants none. */
const askToBeTraced = 0;
const mostSeen = 64;
const noUser = -1;

class HiddenProcess implements OpenDetector {
  readonly #table: ProgramTable;
  readonly #seen = new Map<string, Seen>();

  constructor(table: ProgramTable) {
    this.#table = table;
  }

  see(event: Event): void {
    if (event.kind === 'exec') this.#seeStart(event);
    else if (event.kind === 'ptrace') this.#seeReach(event);
    else if (event.kind === 'set-user') this.#seeUser(event);
  }

  #seeStart(event: Event): void {
    if (event.outcome === 'failed') return;
    const path = rawText(event.fields.path) ?? '';
    const name = wordsOf(event)[0] ?? '';
    const program = programName(path);
    if (fromMemory.test(path)) {
      this.#note(event, {
        title: `Runs a program from memory: ${path}`,
        evidenceClass: 'B',
        severity: 'high',
        attack: 'T1620',
      });
    } else if (removed.test(path)) {
      this.#note(event, { title: `Runs a file that was removed: ${path}`, evidenceClass: 'C', attack: 'T1070.004' });
    } else if (this.#table.kernelThreads.test(name) && !this.#table.kernelThreads.test(program)) {
      this.#note(event, {
        title: `Starts ${path} under the name ${name}`,
        evidenceClass: 'B',
        severity: 'high',
        attack: 'T1036.004',
      });
    } else if (this.#isFalseDaemon(name, path)) {
      this.#note(event, { title: `Starts ${path} under the name ${name}`, evidenceClass: 'C', attack: 'T1036.004' });
    }
  }

  /** Several programs in one file are called by what they are to be; interpreters and files in folders of users are not. */
  #isFalseDaemon(name: string, path: string): boolean {
    const called = programName(name);
    if (!this.#table.daemons.includes(called) || called === programName(path)) return false;
    return this.#table.interpreters.includes(programName(path)) || !/^\/(?:usr\/)?(?:s?bin|lib)/.test(path);
  }

  #seeReach(event: Event): void {
    const call = rawText(event.fields.call) ?? 'ptrace';
    const program = programOf(event);
    if (event.fields.request === askToBeTraced || this.#table.tracers.includes(program)) return;
    this.#note(
      event,
      {
        title: `${program} reaches into another process with ${call}`,
        evidenceClass: 'B',
        severity: 'high',
        attack: 'T1055',
      },
      reaching,
    );
  }

  #seeUser(event: Event): void {
    const program = programOf(event);
    const ids = listOf(event.fields.ids).filter((id) => id !== noUser);
    if (
      event.phase === 'install' ||
      !this.#table.interpreters.includes(program) ||
      this.#table.shells.includes(program)
    )
      return;
    // The airlock of a box is a script as well.
    if (program === 'perl' || ids.length === 0 || ids.some((id) => id !== 0)) return;
    const call = rawText(event.fields.call) ?? 'setuid';
    this.#note(
      event,
      {
        title: `${program} asks for the identity of root (${call})`,
        evidenceClass: 'C',
        severity: 'low',
        attack: 'T1548',
      },
      becoming,
    );
  }

  #note(
    event: Event,
    claim: {
      readonly title: string;
      readonly evidenceClass: EvidenceClass;
      readonly severity?: Severity;
      readonly attack: string;
    },
    rule: RuleText = hidden,
  ): void {
    const known = this.#seen.get(claim.title);
    if (known === undefined && this.#seen.size >= mostSeen) return;
    const seen = known ?? { severity: rule.severity, ...claim, rule, events: [] };
    this.#seen.set(claim.title, seen);
    if (seen.events.length < mostEvidence) seen.events.push(event);
  }

  findings(): readonly Finding[] {
    return [...this.#seen.values()].map(({ rule, title, evidenceClass, severity, attack, events }) =>
      behaviourFinding(rule, {
        identity: [title.replace(/\d+/g, '#')],
        title,
        evidenceClass,
        severity,
        attack: [attack],
        evidence: events.map((event) =>
          eventEvidence(event, `${event.kind} ${rawText(event.fields.path) ?? rawText(event.fields.call) ?? ''}`),
        ),
      }),
    );
  }
}

export const hiddenProcess: Detector = {
  id: 'hidden-process',
  title: 'Processes that hide, and that reach into others',
  rules: [hidden, reaching, becoming],
  open: () => new HiddenProcess(readPrograms()),
};
