import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

function listen(server: Server, where: { port: number; host: string } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => resolve());
    server.unref();
  });
}

/** Things outside the box that anybody on this host could reach. Only the confinement keeps the target from them. */
export class Bait {
  readonly secretFile: string;
  readonly openFolder: string;
  readonly abstractName: string;
  readonly #tcp: Server = createServer((socket) => socket.destroy());
  readonly #abstract: Server = createServer((socket) => socket.destroy());
  /** Resolves when the listeners listen. */
  readonly ready: Promise<void>;

  constructor(folder: string, boxId: string) {
    this.secretFile = join(folder, 'secret');
    this.openFolder = join(folder, 'open');
    this.abstractName = `hotcell-bait-${boxId}`;
    mkdirSync(this.openFolder, { recursive: true, mode: 0o755 });
    chmodSync(this.openFolder, 0o777);
    writeFileSync(this.secretFile, 'bait\n', { mode: 0o644 });
    this.ready = Promise.all([
      listen(this.#tcp, { port: 0, host: '127.0.0.1' }),
      listen(this.#abstract, { path: `\0${this.abstractName}` }),
    ]).then(() => undefined);
    // Whoever asks the airlock waits for it; a box that is given up before must not take the process down.
    this.ready.catch(() => undefined);
  }

  get tcpPort(): number {
    const address = this.#tcp.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  close(): void {
    this.#tcp.close();
    this.#abstract.close();
  }
}
