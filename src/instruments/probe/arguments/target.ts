import { faultOfHost } from '../scope/host-text.ts';
import type { LoadedScope } from '../scope/scope.ts';
import { aimAtHost, type HostAim } from './host.ts';
import { refuse, refuseOutside } from './refuse.ts';

export function readTargetArgument(scope: LoadedScope, text: string): HostAim {
  const fault = faultOfHost(text);
  if (fault !== null) refuse('target', text, fault.reason, fault.hint);
  const aim = aimAtHost(scope, text);
  return 'outside' in aim ? refuseOutside('target', text, aim.outside, aim.hint) : aim;
}
