import type { Writable } from 'node:stream';
import type { Finding } from '../../../base/finding-schema.ts';
import type { Progress } from '../../../instruments/analyze/run/index.ts';
import { chooseDrawing } from '../events/drawing.ts';
import { shortenPath } from '../events/shorten.ts';
import type { Terminal } from '../terminal/index.ts';
import { paintSeverity } from './paint.ts';
import { cutToFit, safe } from './safe.ts';
import { advance, describeTrack, openTrack, stageWords, type TrackState } from './track.ts';

/**
 * What is told while people wait, on stderr. On a terminal one line is drawn again and again, and what is found stays
 * above it; elsewhere each step is one line; nothing where nobody wants it.
 */

export type ProgressMode = 'line' | 'plain' | 'none';

/** One analysis among those that are under way. */
export interface Track {
  tell(progress: Progress): void;
  /** What is being done now; only the line that is drawn again shows it. */
  say(what: string): void;
  end(): void;
}

export interface LiveOptions {
  readonly mode: ProgressMode;
  /** Several targets: lines say whose they are. */
  readonly isNamed: boolean;
}

const everyMs = 150;
const eraseLine = '\r\u001b[2K';
const mostNotes = 200;
/** Of a target, where several share the line. */
const mostNameCells = 20;

export class LiveProgress {
  readonly #stream: Writable;
  readonly #terminal: Terminal;
  readonly #options: LiveOptions;
  readonly #timer: NodeJS.Timeout | null;
  readonly #tracks = new Map<number, TrackState>();
  #next = 0;
  #notes = 0;
  #isDrawn = false;
  #hasWritten = false;

  constructor(stream: Writable, terminal: Terminal, options: LiveOptions) {
    this.#stream = stream;
    this.#terminal = terminal;
    this.#options = options;
    this.#timer = options.mode === 'line' ? setInterval(() => this.#draw(), everyMs) : null;
    this.#timer?.unref();
  }

  open(name: string, mostMs: number): Track {
    const id = this.#next++;
    this.#tracks.set(id, openTrack(name, mostMs, performance.now()));
    const change = (make: (state: TrackState) => TrackState): void => {
      const state = this.#tracks.get(id);
      if (state !== undefined) this.#tracks.set(id, make(state));
    };
    return {
      tell: (progress) => {
        change((state) => advance(state, progress, performance.now()));
        this.#say(name, progress);
      },
      say: (what) => change((state) => ({ ...state, doing: what })),
      end: () => this.#tracks.delete(id),
    };
  }

  /** A line that stays. */
  write(line: string): void {
    if (this.#options.mode === 'none') return;
    this.#erase();
    this.#stream.write(`${line}\n`);
    this.#hasWritten = true;
  }

  /** Clears the line, so that something else can be written; it is drawn again by itself. */
  pause(): void {
    this.#erase();
    // On a terminal what comes next stands below what was found, and should not look like a part of it.
    if (this.#options.mode === 'line' && this.#hasWritten) this.#stream.write('\n');
    this.#hasWritten = false;
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#erase();
    this.#tracks.clear();
  }

  #say(name: string, progress: Progress): void {
    const whose = this.#options.isNamed ? `${safe(name)}: ` : '';
    if (progress.kind === 'finding') this.#sayFinding(progress.finding, whose);
    else if (this.#options.mode !== 'plain') return;
    else if (progress.kind === 'stage') this.write(`hotcell: ${whose}${stageWords[progress.stage]}`);
    else if (progress.kind === 'note' && this.#notes++ < mostNotes)
      this.write(`hotcell: ${whose}${safe(progress.text)}`);
  }

  /** What is only for information waits for the report. */
  #sayFinding({ severity, evidenceClass, title }: Finding, whose: string): void {
    if (severity === 'info') return;
    const { style, width } = this.#terminal;
    const text = cutToFit(`${whose}${safe(title)}`, width - 13, this.#terminal);
    this.write(`${paintSeverity(severity, style)}  ${evidenceClass}  ${text}`);
  }

  #erase(): void {
    if (this.#isDrawn) this.#stream.write(eraseLine);
    this.#isDrawn = false;
  }

  #draw(): void {
    const tracks = [...this.#tracks.values()];
    if (tracks.length === 0) {
      this.#erase();
      return;
    }
    const now = performance.now();
    const room = this.#terminal.width - 1;
    const each = Math.floor((room - 3 * (tracks.length - 1)) / tracks.length);
    const parts = tracks.map((track) => {
      const text = describeTrack(track, now).join('  ');
      const name = shortenPath(safe(track.name), mostNameCells, chooseDrawing(this.#terminal).ellipsis);
      return cutToFit(this.#options.isNamed ? `${name}: ${text}` : text, each, this.#terminal);
    });
    this.#stream.write(`${eraseLine}${this.#terminal.style.faint(parts.join(' | '))}`);
    this.#isDrawn = true;
  }
}
