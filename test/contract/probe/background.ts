import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { killGroup, toolEnvironment } from '../../../src/base/process.ts';
import { within } from './namespaces.ts';

/** A program that runs in a namespace for as long as the world stands, and says what it has to say in lines. */

const startMs = 15_000;
const mostLines = 100_000;

export class Background {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    });
  }

  static async start(
    namespace: string,
    argv: readonly string[],
    isReady: (line: string) => boolean,
  ): Promise<Background> {
    const child = spawn('nsenter', [...within(namespace, argv)], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...toolEnvironment },
    });
    const made = new Background(child);
    child.stdin?.on('error', () => undefined);
    try {
      await new Promise<void>((resolve, reject) => {
        const fail = (why: string): void => reject(new Error(`${argv[0]} ${why}: ${made.lines.slice(-5).join(' | ')}`));
        const timer = setTimeout(() => fail('did not begin in time'), startMs);
        const take = (line: string): void => {
          if (made.lines.length < mostLines) made.lines.push(line);
          if (!isReady(line)) return;
          clearTimeout(timer);
          resolve();
        };
        for (const stream of [child.stdout, child.stderr]) {
          if (stream !== null) createInterface({ input: stream }).on('line', take);
        }
        void made.#ended.then(() => {
          clearTimeout(timer);
          fail('ended at once');
        });
      });
      return made;
    } catch (error) {
      await made.close();
      throw error;
    }
  }

  /** Lines that begin with this, read as JSON. */
  said(beginning: string): readonly unknown[] {
    return this.lines.filter((line) => line.startsWith(beginning)).map((line) => JSON.parse(line) as unknown);
  }

  async close(): Promise<void> {
    if (this.#child.pid !== undefined && this.#child.exitCode === null) killGroup(this.#child.pid);
    await this.#ended;
  }
}
