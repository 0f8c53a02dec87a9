import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence } from './behaviour-finding.ts';
import { rawText, wordsOf } from './event-fields.ts';
import { contactsOf, isPublicAddress } from './hosts.ts';
import { Processes, type SeenProcess } from './processes.ts';

/** Processes that were meant to outlive their server. */

const rule: RuleText = {
  id: 'behaviour/left-running',
  title: 'Leaves a process running',
  severity: 'medium',
  axis: 'hostility',
  cwe: ['CWE-506', 'CWE-404'],
  owasp: ['MCP04'],
  what: 'The server ended, and a process that it had started and cut off from itself went on until the box was closed: its input and output led nowhere, or whoever started it had ended before.',
  why: 'Nobody sees it and nobody ends it. A client that stops its server believes that it has stopped.',
  remediation: 'Run the server in a box, which ends everything that it started.',
  fires: 'node starts sleep with its own session and no output, then ends; sleep is still there.',
  silent: 'A child that reads from its parent, and is ended with it.',
};

/** As many places as a process has for input, output and errors. */
const allStreams = 3;
const mostContacts = 4096;
const mostMains = 256;

class LeftRunning implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #processes = new Processes();
  readonly #talks = new Map<number, Event>();
  readonly #mains = new Set<SeenProcess>();

  constructor(context: DetectorContext) {
    this.#context = context;
  }

  see(event: Event): void {
    const seen = this.#processes.see(event);
    if (event.kind === 'exec' && seen !== null && this.#isMain(event)) this.#mains.add(seen);
    const pid = event.process?.pid;
    if (pid === undefined || this.#talks.size >= mostContacts || this.#talks.has(pid)) return;
    if (contactsOf(event).some(({ host, isBare }) => !isBare || isPublicAddress(host))) this.#talks.set(pid, event);
  }

  /** The server itself: started with exactly these words, or before anything else. */
  #isMain(event: Event): boolean {
    if (event.phase === 'install' || event.outcome === 'failed' || this.#mains.size >= mostMains) return false;
    const words = wordsOf(event);
    const { argv } = this.#context;
    return this.#mains.size === 0 || (words.length === argv.length && words.every((word, at) => word === argv[at]));
  }

  findings(): readonly Finding[] {
    const all = this.#processes.all();
    const ends = new Map(all.map((process) => [process, process.end?.seq ?? Number.POSITIVE_INFINITY]));
    const parents = new Map<SeenProcess, SeenProcess>();
    const byPid = Map.groupBy(all, ({ pid }) => pid);
    for (const process of all) {
      const above = byPid.get(process.parent)?.findLast(({ start }) => start.seq < process.start.seq);
      if (above !== undefined) parents.set(process, above);
    }
    const lineOf = (process: SeenProcess): readonly SeenProcess[] => {
      const line: SeenProcess[] = [];
      for (let at = parents.get(process); at !== undefined && line.length < 64; at = parents.get(at)) line.push(at);
      return line;
    };
    const found = all.flatMap((process) => {
      const main = lineOf(process).find((above) => this.#mains.has(above));
      if (main === undefined || !endedByItself(main) || (ends.get(process) ?? 0) < (ends.get(main) ?? 0)) return [];
      if (process.exec === null || !wasEnded(process)) return [];
      const above = parents.get(process);
      const isOrphan = above !== undefined && above !== main && (ends.get(above) ?? 0) < (ends.get(main) ?? 0);
      return isOrphan || process.nothings >= allStreams ? [{ process, main }] : [];
    });
    const byCommand = Map.groupBy(found, ({ process }) => commandWords(process));
    return [...byCommand].map(([command, left]) => this.#tell(command, left));
  }

  #tell(command: string, left: readonly { readonly process: SeenProcess; readonly main: SeenProcess }[]): Finding {
    const talk = left.flatMap(({ process }) => this.#talks.get(process.pid) ?? []);
    const evidence = left
      .slice(0, 3)
      .flatMap(({ process, main }) => [
        eventEvidence(process.exec ?? process.start, 'was started'),
        ...(main.end === null ? [] : [eventEvidence(main.end, 'the server ended')]),
        ...(process.end === null ? [] : [eventEvidence(process.end, 'was ended with the box')]),
      ]);
    return behaviourFinding(rule, {
      identity: [command],
      title: `Leaves ${command} running when it ends${talk.length > 0 ? ', and it talks to the network' : ''}`,
      evidenceClass: talk.length > 0 ? 'B' : 'C',
      attack: ['T1543'],
      evidence: [...evidence, ...talk.slice(0, 2).map((event) => eventEvidence(event, 'spoke to the network'))],
    });
  }
}

function commandWords({ exec, program }: SeenProcess): string {
  const words = exec === null ? [] : wordsOf(exec);
  return (words.length > 0 ? words.slice(0, 6).join(' ') : program).slice(0, 100);
}

/** Not killed by the box: it went because it was done, or was asked to go. */
function endedByItself({ end }: SeenProcess): boolean {
  return end !== null && rawText(end.fields.signal) !== 'SIGKILL' && end.fields.signal !== 9;
}

/** Killed when the box was closed, or never seen to end at all. */
function wasEnded({ end }: SeenProcess): boolean {
  return end === null || rawText(end.fields.signal) === 'SIGKILL' || end.fields.signal === 9;
}

export const leftRunning: Detector = {
  id: 'left-running',
  title: 'Processes that outlive their server',
  rules: [rule],
  open: (context) => new LeftRunning(context),
};
