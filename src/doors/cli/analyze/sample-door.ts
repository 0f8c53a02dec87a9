import { PassThrough } from 'node:stream';
import { loadSettings } from '../../settings/index.ts';
import type { Door } from '../definition.ts';
import { describeTerminal } from '../terminal/index.ts';

/** A door without a terminal, whose output is kept. */
export interface SampleDoor {
  readonly door: Door;
  stdout(): string;
  stderr(): string;
}

export interface SampleOptions {
  readonly folder: string;
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly trailing?: readonly string[];
  /** Cells of the terminal that stderr is; none where it is no terminal. */
  readonly columns?: number;
}

function collect(): { readonly stream: PassThrough; text(): string } {
  const stream = new PassThrough();
  let all = '';
  stream.on('data', (chunk: Buffer) => {
    all += chunk.toString('utf8');
  });
  return { stream, text: () => all };
}

export async function openSampleDoor(options: SampleOptions): Promise<SampleDoor> {
  const { folder, home, environment = {}, trailing = [], columns } = options;
  const caller = { environment, folder, homeFolder: home, userId: 1000 };
  const [stdout, stderr] = [collect(), collect()];
  const terminal = (isTerminal: boolean) =>
    describeTerminal({ color: 'never', isTerminal, columns, environment: { LANG: 'C.UTF-8' } });
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    door: {
      stdin: new PassThrough(),
      stdout: stdout.stream,
      stderr: stderr.stream,
      isInteractive: false,
      trailing,
      readerGone: new AbortController().signal,
      caller,
      settings: await loadSettings({ home }, caller),
      terminal: terminal(false),
      errorTerminal: terminal(columns !== undefined),
    },
  };
}
