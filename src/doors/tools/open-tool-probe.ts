import type { ProbeOptions } from '../../instruments/probe/options.ts';
import type { Probe } from '../../instruments/probe/probe.ts';
import { openShared, type Shared } from './open-shared.ts';

export type ToolProbe = Shared<Probe>;

export function openToolProbe(options: ProbeOptions | null): ToolProbe {
  const make = async (wanted: ProbeOptions): Promise<Probe> =>
    (await import('../../instruments/probe/probe.ts')).Probe.open(wanted);
  return openShared('probe', options === null ? null : () => make(options));
}
