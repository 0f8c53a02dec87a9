import { appendFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Writable } from 'node:stream';
import { describeError, HostError } from '../../base/errors.ts';
import { runToolOrFail } from '../../base/process.ts';
import type { Checkpoint } from './contract.ts';
import { ledgerLimits } from './limits.ts';
import type { CheckpointCopy } from './report.ts';

/** Copies of checkpoints in places that whoever owns this machine cannot rewrite. None of them holds an append up. */

type Sender<To extends CheckpointCopy['to']> = (
  copy: Extract<CheckpointCopy, { to: To }>,
  note: string,
) => Promise<void>;

const toFile: Sender<'file'> = (copy, note) => appendFile(copy.path, note, { mode: 0o644, flush: true });

const toStream: Sender<'stream'> = ({ stream }, note) =>
  withLimit(
    new Promise((resolve, reject) => {
      stream.write(note, (error) => (error ? reject(error) : resolve()));
    }),
  );

const toUrl: Sender<'url'> = async ({ url, timeoutMs = ledgerLimits.copyMs }, note) => {
  const answer = await fetch(url, {
    method: 'POST',
    body: note,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new HostError(`it answered ${answer.status}`);
};

/** Facility log audit (13), severity notice (5). */
const priority = 13 * 8 + 5;

/**
 * A message of syslog is one line, so ends of lines are written `\n`; `audit verify --from` takes it that way. Node speaks
 * Unix streams and not Unix datagrams, which most syslogs want: for those the `logger` program does it.
 */
const toSyslog: Sender<'syslog'> = async ({ socket = '/dev/log' }, note) => {
  const line = `checkpoint ${note.replaceAll('\n', '\\n')}`;
  const viaStream = new Promise<void>((resolve, reject) => {
    const connection = connect({ path: socket });
    connection.setTimeout(ledgerLimits.copyMs, () => connection.destroy(new HostError('it does not take anything')));
    connection.once('error', reject);
    connection.end(`<${priority}>hotcell[${process.pid}]: ${line}\n`, () => resolve());
  });
  try {
    await viaStream;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPROTOTYPE')) throw error;
    const args = ['--socket', socket, '--priority', 'local0.notice', '--tag', 'hotcell', '--size', '8KiB', '--', line];
    await runToolOrFail('logger', args, { timeoutMs: ledgerLimits.copyMs });
  }
};

async function withLimit(work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new HostError(`it took longer than ${ledgerLimits.copyMs} ms`)),
    ledgerLimits.copyMs,
  );
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function send(copy: CheckpointCopy, note: string): Promise<void> {
  switch (copy.to) {
    case 'file':
      return toFile(copy, note);
    case 'stream':
      return toStream(copy, note);
    case 'syslog':
      return toSyslog(copy, note);
    case 'url':
      return toUrl(copy, note);
  }
}

export class Copies {
  readonly #copies: readonly CheckpointCopy[];
  readonly #onProblem: (problem: string) => void;
  readonly #underWay = new Set<Promise<void>>();
  readonly #streams: readonly Writable[];
  readonly #onStreamError = (): void => {
    // The write that failed says so itself.
  };

  constructor(copies: readonly CheckpointCopy[], onProblem: (problem: string) => void) {
    this.#copies = copies;
    this.#onProblem = onProblem;
    this.#streams = copies.flatMap((copy) => (copy.to === 'stream' ? [copy.stream] : []));
    for (const stream of this.#streams) stream.on('error', this.#onStreamError);
  }

  publish(checkpoint: Checkpoint): void {
    for (const copy of this.#copies) {
      if (this.#underWay.size >= ledgerLimits.copiesUnderWay) {
        this.#onProblem(
          `checkpoint ${checkpoint.size} was not copied to ${copy.to}: earlier copies are still under way`,
        );
        continue;
      }
      const work = send(copy, checkpoint.note)
        .catch((error: unknown) => {
          this.#onProblem(`checkpoint ${checkpoint.size} was not copied to ${copy.to}: ${describeError(error)}`);
        })
        .finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
    }
  }

  /** Each has a limit of its own. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    for (const stream of this.#streams) stream.off('error', this.#onStreamError);
  }
}
