import type { World } from '../arguments/index.ts';

/** How a server is started inside a box: the command, what it wants to have around it, and why. */

/** Something that a server wants to find: a service that listens in the box, or a program on its path. */
export type Prop =
  | { readonly kind: 'service'; readonly name: 'postgres' | 'redis' }
  /** A program that only says it is there. `text` is what it prints. */
  | { readonly kind: 'program'; readonly name: string; readonly text: string };

export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly transport: 'stdio' | 'http';
  /** Where it is expected to listen, for HTTP. */
  readonly port?: number;
  readonly props: readonly Prop[];
  /** The planted root was given to the server as its boundary. */
  readonly isConfined: boolean;
  /** One line per variable, argument and prop: what it is and where the wish for it was seen. */
  readonly because: readonly string[];
}

/** What is known of a target before it is started. */
export interface LaunchFacts {
  /** Folder of the target's own files on this machine, to be read and never run. */
  readonly folder: string;
  readonly ecosystem: 'npm' | 'pypi' | 'none';
  readonly name: string;
  /** The file that is to be started, below the folder, where the target says so. */
  readonly entry?: string;
  /** The command without its launcher's own words, where the target is a command. */
  readonly command?: { readonly argv: readonly string[]; readonly args: readonly string[] };
  /** Paths in the box: of the target's own files, and of programs that its install put there. */
  readonly installed: { readonly folder: string; readonly programs: readonly string[] };
  readonly world: World;
  /** What the user gave: it always wins. */
  readonly given: {
    readonly environment: Readonly<Record<string, string>>;
    readonly args: readonly string[];
    readonly props: readonly Prop[];
  };
  /** A fresh bait value for a variable or an argument of this name; it is recognised when it leaves. */
  readonly bait: (name: string) => string;
}

export interface FailedStart {
  readonly launch: Launch;
  /** `exited`: it ended before it answered; `silent`: it runs and does not answer; `refused`: it answered with an error. */
  readonly is: 'exited' | 'silent' | 'refused';
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote, as text. */
  readonly stderrTail: string;
  readonly stdoutTail: string;
  /** Ports on which something of the target listens now, inside the box. */
  readonly listens: readonly number[];
}
