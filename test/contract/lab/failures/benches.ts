import { hasDockerEngine, hasSshd } from '../../connector/places.ts';
import { openSampleLab, overSsh, type SampleLab } from '../sample-lab.ts';
import { openStubPlace, type StubPlace } from './stub-place.ts';

/** The labs that the rows look at: each is opened by the first row that needs it, and shared by all. */

export interface Benches {
  /** Local, in boxes of bubblewrap. */
  boxed(): Promise<SampleLab>;
  /** Local without boxes, with shell lines allowed. */
  plain(): Promise<SampleLab>;
  /** Over ssh, where stubs stand for programs that cannot be had here. */
  stubs(): Promise<StubLab>;
  /** Over ssh, where no tool is installed. */
  bare(): Promise<SampleLab>;
  close(): Promise<void>;
}

export interface StubLab extends SampleLab {
  readonly place: StubPlace;
}

/** Seconds that a stub sleeps for ever, and by which its process is known. */
export const endless = '301.77';

export type Need = 'docker' | 'sshd';

/** Why a row cannot be looked at here; null where it can. */
export function missing(needs: readonly Need[]): string | null {
  if (needs.includes('sshd') && !hasSshd()) return 'no sshd is installed';
  if (needs.includes('docker') && !hasDockerEngine()) return 'no docker engine is installed';
  return null;
}

export interface Row {
  readonly number: number;
  readonly name: string;
  readonly needs?: readonly Need[];
  check(benches: Benches): Promise<void>;
}

export function openBenches(): Benches {
  const closers: (() => Promise<void>)[] = [];
  const once = <Result>(open: () => Promise<Result>): (() => Promise<Result>) => {
    let opening: Promise<Result> | null = null;
    return () => {
      opening ??= open();
      return opening;
    };
  };
  const local = (flags: Parameters<typeof openSampleLab>[0]) =>
    once(async () => {
      const lab = await openSampleLab(flags);
      closers.push(lab.close);
      return lab;
    });
  const remote = (isStubbed: boolean) =>
    once(async () => {
      const place = await openStubPlace(isStubbed, endless);
      closers.push(place.close);
      const lab = await openSampleLab(overSsh(place.sshd));
      closers.push(lab.close);
      return { ...lab, place };
    });
  return {
    boxed: local({}),
    plain: local({ sandbox: 'off', allowShell: true }),
    stubs: remote(true),
    bare: remote(false),
    async close() {
      for (const close of closers.toReversed()) await close();
    },
  };
}
