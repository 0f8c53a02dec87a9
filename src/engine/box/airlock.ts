import type { Readable, Writable } from 'node:stream';
import { HostError } from '../../base/errors.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import type { CheckResult } from './contract.ts';

/** The host's side of the talk with native/airlock.pl, whose head comment has the picture. */

/** One line: a key and its values. */
export type MessageLine = readonly [key: string, ...values: readonly (string | Uint8Array)[]];

const maxReportBytes = 64 * 1024;

export function encodeMessage(lines: readonly MessageLine[]): Buffer {
  const body = lines
    .map(([key, ...values]) => [key, ...values.map((value) => Buffer.from(value as string).toString('hex'))].join(' '))
    .join('\n');
  return Buffer.from(body.length.toString(16).padStart(8, '0') + body);
}

/** Takes exactly that many bytes off a stream and leaves the rest for whoever reads next. Null at the end or in time. */
function takeBytes(stream: Readable, count: number, deadline: AbortSignal): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const settle = (value: Buffer | null): void => {
      stream.off('readable', attempt);
      stream.off('end', onEnd);
      stream.off('close', onEnd);
      deadline.removeEventListener('abort', onEnd);
      resolve(value);
    };
    const onEnd = (): void => settle(null);
    const attempt = (): void => {
      const chunk: Buffer | null = stream.read(count);
      if (chunk !== null) settle(chunk.length === count ? chunk : null);
    };
    stream.on('readable', attempt);
    stream.once('end', onEnd);
    stream.once('close', onEnd);
    deadline.addEventListener('abort', onEnd);
    if (deadline.aborted) onEnd();
    else attempt();
  });
}

export function parseReport(text: string): readonly CheckResult[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', result = '', ...detail] = line.split(' ');
      if (result !== 'held' && result !== 'broken')
        throw new HostError(`the airlock reported "${forTerminal(untrusted(line))}"`);
      return { id, result, detail: detail.join(' ') };
    });
}

export interface AirlockStreams {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Asks the questions. Null when the box ended, or said nothing in time, before it had answered. */
export async function askAirlock(
  streams: AirlockStreams,
  questions: readonly MessageLine[],
  timeoutMs: number,
): Promise<readonly CheckResult[] | null> {
  streams.stdin.write(encodeMessage(questions));
  const report = await takeMessage(streams.stdout, AbortSignal.timeout(timeoutMs));
  return report === null ? null : parseReport(report);
}

async function takeMessage(stream: Readable, deadline: AbortSignal): Promise<string | null> {
  const length = await takeBytes(stream, 8, deadline);
  if (length === null) return null;
  const size = Number.parseInt(length.toString('latin1'), 16);
  if (!Number.isInteger(size) || size < 1 || size > maxReportBytes) {
    throw new HostError(`the airlock reported a length of "${forTerminal(untrusted(length))}"`);
  }
  return (await takeBytes(stream, size, deadline))?.toString('latin1') ?? null;
}

/** The descriptor at which the airlock has the listener for its reported calls. Null as above. */
export async function awaitListener(streams: AirlockStreams, timeoutMs: number): Promise<number | null> {
  const line = await takeMessage(streams.stdout, AbortSignal.timeout(timeoutMs));
  if (line === null) return null;
  const [, number] = /^listener (\d{1,6})$/.exec(line) ?? [];
  if (number === undefined) throw new HostError(`the airlock said "${forTerminal(untrusted(line))}"`);
  return Number(number);
}

/** The listener is served: the target may go. */
export function confirmListener(streams: AirlockStreams): void {
  streams.stdin.write(encodeMessage([['go', '1']]));
}

export interface Order {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Lets the target go. */
export function giveOrder(streams: AirlockStreams, order: Order): void {
  streams.stdin.write(
    encodeMessage([
      ['cwd', order.cwd],
      ...order.argv.map((argument): MessageLine => ['argument', argument]),
      ...Object.entries(order.environment).map(([name, value]): MessageLine => ['variable', name, value]),
    ]),
  );
}
