/** What bpftrace says on its standard error: what it lost, and why it could not go on. */

const lostLine = /^Lost (\d{1,15}) events$/;
const longestLine = 4096;
const mostKept = 20;
/** Raising a limit that nothing here needs. */
const harmless = 'RLIMIT_MEMLOCK';

export class Complaints {
  #rest = '';
  readonly #kept: string[] = [];
  lost = 0;

  take(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-longestLine);
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    const [, lost] = lostLine.exec(line.trim()) ?? [];
    if (lost !== undefined) this.lost += Number(lost);
    else if (line.trim() !== '' && !line.includes(harmless) && this.#kept.length < mostKept) this.#kept.push(line);
  }

  get text(): string {
    return this.#kept.join('; ').replaceAll(/[^ -~]/g, '?');
  }
}
