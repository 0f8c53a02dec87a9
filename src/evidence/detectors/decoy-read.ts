import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence, mostEvidence } from './behaviour-finding.ts';
import { CallBook } from './calls.ts';
import { isBelowAny, pathText, programName, rawText, wordsOf } from './event-fields.ts';
import { Processes, runsScript } from './processes.ts';
import { anyOf, type Credentials, readCredentials } from './rules-file.ts';

/** Planted files with secrets in them that were read, by somebody whose business they are not. */

const read: RuleText = {
  id: 'behaviour/decoy-read',
  title: 'Reads a file with planted secrets',
  severity: 'high',
  axis: 'hostility',
  cwe: ['CWE-506', 'CWE-552'],
  owasp: ['MCP01', 'MCP04'],
  what: 'A file that was planted to be touched, such as a private key, was opened for reading while no call of ours named it. Programs that read such a file for their own work, and libraries made for it, do not count.',
  why: 'Nothing that the server is for leads there. Reading is the first half of stealing.',
  remediation:
    'Do not run this server outside of a box that hides the home folder. Ask the authors why it reads the file.',
  fires: 'node server.js opens ~/.ssh/id_ed25519 when a client says hello.',
  silent: 'git opens ~/.gitconfig.',
};

const used: RuleText = {
  id: 'behaviour/credentials-used',
  title: 'Uses credentials of the user through a library made for them',
  severity: 'info',
  axis: 'exposure',
  cwe: [],
  owasp: ['MCP01'],
  what: 'A file with credentials was read after a library that is made to read it had been loaded.',
  why: 'The server acts with the rights of whoever starts it. That is what such a library is for, and worth knowing.',
  remediation: 'Give the server credentials of its own, with the least rights that it needs.',
  fires: '~/.aws/credentials is opened by a server that loaded the SDK of AWS.',
  silent: '~/.aws/credentials is not opened.',
};

interface Reading {
  readonly decoy: string;
  readonly events: Event[];
  readonly programs: Set<string>;
  isThroughLibrary: boolean;
}

const mostDecoys = 256;

class DecoyRead implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #credentials: Credentials;
  readonly #anyLibrary: RegExp;
  readonly #calls = new CallBook();
  readonly #processes = new Processes();
  readonly #loaded = new Set<number>();
  readonly #readings = new Map<string, Reading>();

  constructor(context: DetectorContext, credentials: Credentials) {
    this.#context = context;
    this.#credentials = credentials;
    this.#anyLibrary = anyOf(credentials.libraries.map(({ loaded }) => loaded));
  }

  see(event: Event): void {
    const { kind } = event;
    if (kind === 'message') this.#calls.see(event);
    else if (kind === 'bait-read') this.#seeReading(event);
    else if (kind === 'fork' || kind === 'exec' || kind === 'exit') this.#processes.see(event);
    else if (kind === 'open') this.#learnLibrary(event);
  }

  #learnLibrary({ fields }: Event): void {
    const { libraries } = this.#credentials;
    if (this.#loaded.size === libraries.length) return;
    const path = pathText(fields.path) ?? '';
    if (!/\.(?:[cm]?js|py|pyc|so|node)$/.test(path) || !this.#anyLibrary.test(path)) return;
    for (const [at, { loaded }] of libraries.entries()) if (loaded.test(path)) this.#loaded.add(at);
  }

  #seeReading(event: Event): void {
    const decoy = rawText(event.fields.decoy) ?? '';
    const path = pathText(event.fields.path) ?? '';
    // Variables belong to the process that has them; those of another one are told as a place.
    if (event.phase === 'attack' || decoy === 'environment' || decoy === '') return;
    if (isBelowAny(path, this.#context.givenPaths) || this.#calls.says(event, decoy)) return;
    const words = wordsOf(event);
    if (this.#isOwnWork(decoy, words) || this.#isSettingsOfFolder(path, event)) return;
    const known = this.#readings.get(decoy);
    const reading = known ?? { decoy, events: [], programs: new Set(), isThroughLibrary: true };
    if (known === undefined && this.#readings.size >= mostDecoys) return;
    this.#readings.set(decoy, reading);
    if (reading.events.length < mostEvidence) reading.events.push(event);
    reading.programs.add(programName(words[0] ?? ''));
    reading.isThroughLibrary &&= this.#isThroughLibrary(decoy);
  }

  #isOwnWork(decoy: string, words: readonly string[]): boolean {
    const program = programName(words[0] ?? '');
    return this.#credentials.readers.some(
      ({ programs, script, decoys }) =>
        programs.includes(program) &&
        (script === undefined || runsScript(words, script)) &&
        decoys.some((pattern) => pattern.test(decoy)),
    );
  }

  #isThroughLibrary(decoy: string): boolean {
    return this.#credentials.libraries.some(
      ({ decoys }, at) => this.#loaded.has(at) && decoys.some((pattern) => pattern.test(decoy)),
    );
  }

  /** A `.env` of the folder that a program was started in is meant for it. */
  #isSettingsOfFolder(path: string, { process }: Event): boolean {
    const folder = this.#processes.get(process?.pid)?.folder;
    return (
      folder !== null && folder !== undefined && /\/\.env(?:\.\w+)?$/.test(path) && path.startsWith(`${folder}/.env`)
    );
  }

  findings(): readonly Finding[] {
    return [...this.#readings.values()].map(({ decoy, events, isThroughLibrary }) =>
      behaviourFinding(isThroughLibrary ? used : read, {
        identity: [decoy],
        title: isThroughLibrary ? `Uses the credentials in ${decoy}` : `Reads ${decoy}, which no call asked for`,
        evidenceClass: isThroughLibrary ? 'D' : 'B',
        attack: [decoy.startsWith('.ssh/') ? 'T1552.004' : 'T1552.001'],
        evidence: events.map((event) => eventEvidence(event, `${decoy} was opened for reading`)),
      }),
    );
  }
}

export const decoyRead: Detector = {
  id: 'decoy-read',
  title: 'Planted files that were read',
  rules: [read, used],
  open: (context) => new DecoyRead(context, readCredentials()),
};
