import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { describeError, HostError } from '../../../base/errors.ts';
import { toolEnvironment } from '../../../base/process.ts';
import { findTool } from '../../host/index.ts';
import { routerLink } from '../layout.ts';
import type { NetworkNamespaces } from '../namespace.ts';
import { PcapReader } from './pcap-reader.ts';
import { interfaceBlock, packetBlock, secretsBlock, sectionBlock } from './pcapng.ts';

/**
 * The box's traffic as a pcapng file. tcpdump takes the packets from the wire: it gives up root by itself, has a
 * buffer in the kernel and tells what it lost; packets made up from our own streams would show what we think happened,
 * not what happened. It writes the older pcap, so the blocks are written here, which also lets the TLS keys stand in
 * the same file.
 */

export interface CaptureEnd {
  readonly packets: number;
  /** Lost in the kernel because tcpdump was too slow; null when it did not say. */
  readonly dropped: number | null;
  /** Left out because the file had reached its largest size. */
  readonly leftOut: number;
  readonly problem: string | null;
}

const startTimeoutMs = 10_000;
const stopTimeoutMs = 5000;
const snapBytes = 262_144;
const largestKeyBytes = 16 * 1024 * 1024;
const kernelBufferKib = '16384';

export interface CaptureOptions {
  readonly file: string;
  readonly largestBytes?: number;
}

export class Capture {
  readonly #child: ChildProcess;
  readonly #file: WriteStream;
  readonly #largestBytes: number;
  readonly #reader = new PcapReader();
  readonly #section = sectionBlock('network traffic of one box');
  readonly #finished: Promise<void>;
  #hasInterface = false;
  #written = 0;
  #packets = 0;
  #leftOut = 0;
  #said = '';
  /** Why the file could not be written to its end. What happens on the wire goes on without it, and it is told. */
  #failure: string | null = null;
  #keyBytes = 0;
  readonly #keys: string[] = [];

  private constructor(child: ChildProcess, { file, largestBytes = 1024 * 1024 * 1024 }: CaptureOptions) {
    this.#child = child;
    this.#largestBytes = largestBytes;
    this.#file = createWriteStream(file, { mode: 0o600 });
    this.#file.on('error', (error) => {
      this.#failure ??= describeError(error);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString('latin1')).slice(-4096);
    });
    this.#write(this.#section);
    this.#finished = this.#copy().catch((error: unknown) => {
      this.#failure ??= describeError(error);
    });
  }

  /** Null where tcpdump is not installed. */
  static async start(namespaces: NetworkNamespaces, options: CaptureOptions): Promise<Capture | null> {
    const tcpdump = await findTool('tcpdump');
    if (tcpdump === null) return null;
    const how = ['--time-stamp-precision=nano', '--immediate-mode', '-U', '-n', '-s', String(snapBytes)];
    const argv = [tcpdump, '-i', routerLink, ...how, '-B', kernelBufferKib, '-w', '-'];
    const child = spawn('ip', [...namespaces.inRouter(argv)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...toolEnvironment },
    });
    const capture = new Capture(child, options);
    await capture.#untilListening();
    return capture;
  }

  async #untilListening(): Promise<void> {
    const deadline = Date.now() + startTimeoutMs;
    while (!this.#said.includes('listening on')) {
      if (this.#child.exitCode !== null || Date.now() > deadline) {
        this.#child.kill('SIGKILL');
        this.#file.destroy();
        throw new HostError(`cannot capture packets: ${this.#said.trim()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Lines of a TLS key log; they stand in the file once it is finished. */
  addKeys(lines: string): void {
    if (this.#keyBytes > largestKeyBytes) return;
    this.#keyBytes += lines.length;
    this.#keys.push(lines);
  }

  #write(bytes: Buffer): boolean {
    this.#written += bytes.length;
    return this.#failure !== null || this.#file.write(bytes);
  }

  async #copy(): Promise<void> {
    const { stdout } = this.#child;
    if (stdout === null) throw new HostError('cannot capture packets: no pipe');
    for await (const chunk of stdout as AsyncIterable<Buffer>) {
      const packets = this.#reader.take(chunk);
      if (!this.#hasInterface && this.#reader.linkType !== null) {
        this.#write(interfaceBlock(this.#reader.linkType, routerLink, snapBytes));
        this.#hasInterface = true;
      }
      let isDrained = true;
      for (const { wallNs, bytes, originalBytes } of packets) {
        if (this.#failure !== null || this.#written + bytes.length > this.#largestBytes) {
          this.#leftOut += 1;
          continue;
        }
        this.#packets += 1;
        isDrained = this.#write(packetBlock(wallNs, bytes, originalBytes));
      }
      // It fails with the file, which has said so by then; the pipe is read on, so that tcpdump can end.
      if (!isDrained) await once(this.#file, 'drain').catch(() => undefined);
    }
  }

  /** A reader meets the keys before the packets that need them only if they stand first, so the file is copied once. */
  async #addKeysInFront(): Promise<void> {
    const file = this.#file.path.toString();
    const copy = createWriteStream(`${file}.partial`, { mode: 0o600 });
    copy.write(Buffer.concat([this.#section, secretsBlock(this.#keys.join(''))]));
    try {
      await pipeline(createReadStream(file, { start: this.#section.length }), copy);
      await rename(`${file}.partial`, file);
    } catch (error) {
      this.#failure ??= `the TLS keys are not in it: ${describeError(error)}`;
      await rm(`${file}.partial`, { force: true });
    }
  }

  async #closeFile(): Promise<void> {
    this.#file.end();
    await finished(this.#file).catch((error: unknown) => {
      this.#failure ??= describeError(error);
    });
  }

  async stop(): Promise<CaptureEnd> {
    this.#child.kill('SIGINT');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), stopTimeoutMs);
    await this.#finished;
    clearTimeout(timer);
    await this.#closeFile();
    if (this.#keys.length > 0 && this.#failure === null) await this.#addKeysInFront();
    const dropped = /(\d+) packets? dropped by kernel/.exec(this.#said)?.[1];
    return {
      packets: this.#packets,
      dropped: dropped === undefined ? null : Number(dropped),
      leftOut: this.#leftOut,
      problem: this.#failure ?? this.#reader.problem,
    };
  }
}
