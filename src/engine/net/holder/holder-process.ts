import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { besideModule } from '../../../base/beside.ts';
import { HostError } from '../../../base/errors.ts';
import { toolEnvironment } from '../../../base/process.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { late } from '../late.ts';
import type { FromHolder, GivenVerdict, HeldPacket, ToHolder, Verdict } from './messages.ts';

/** The parent's end of the holder process. */

const startTimeoutMs = 60_000;
const keptErrorBytes = 4096;

export class HolderProcess {
  readonly #child: ChildProcess;
  /** Resolves when the process has ended, whoever ended it. */
  readonly exited: Promise<void>;
  readonly #ready = Promise.withResolvers<'ready'>();
  #stderr = Buffer.alloc(0);
  #given: GivenVerdict[] = [];
  #onPackets: ((packets: readonly HeldPacket[]) => void) | null = null;
  readonly #unheard: HeldPacket[] = [];
  /** How often the kernel dropped a handshake because nobody read fast enough. */
  lost = 0;
  /** Wall time of an end that nobody asked for. */
  diedAtMs: number | null = null;
  #isStopping = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.exited = new Promise((resolve) => {
      child.once('exit', () => {
        if (!this.#isStopping) this.diedAtMs = Date.now();
        resolve();
      });
      child.once('error', () => resolve());
    });
    child.on('message', (message: FromHolder) => {
      if (message.type === 'ready') this.#ready.resolve('ready');
      else {
        this.lost = message.lost;
        if (this.#onPackets === null) this.#unheard.push(...message.packets);
        else this.#onPackets(message.packets);
      }
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-keptErrorBytes);
    });
  }

  /** `inRouter` gives the arguments of `ip` that lead into the router's namespace. */
  static async start(inRouter: (argv: readonly string[]) => readonly string[]): Promise<HolderProcess> {
    const main = fileURLToPath(besideModule(import.meta.url, 'holder-main'));
    const child = spawn('ip', [...inRouter([process.execPath, '--no-warnings', main])], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...toolEnvironment },
    });
    const holder = new HolderProcess(child);
    const clock = late(startTimeoutMs);
    const outcome = await Promise.race([
      holder.#ready.promise,
      holder.exited.then(() => 'ended' as const),
      clock.promise,
    ]);
    clock.clear();
    if (outcome === 'ready') return holder;
    await holder.stop();
    const said = forTerminal(untrusted(holder.#stderr));
    throw new HostError(
      `the process that holds handshakes ${outcome === 'ended' ? 'ended' : 'did not start'}: ${said}`,
    );
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** From now on, and for what came before. */
  listen(onPackets: (packets: readonly HeldPacket[]) => void): void {
    this.#onPackets = onPackets;
    onPackets(this.#unheard.splice(0));
  }

  /** Those of one turn travel together. */
  give(id: number, verdict: Verdict): void {
    this.#given.push([id, verdict]);
    if (this.#given.length === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    const message: ToHolder = { type: 'verdicts', verdicts: this.#given };
    this.#given = [];
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** What is still held is dropped by the kernel. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) return;
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}
