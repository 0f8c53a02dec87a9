import type { AimMeans } from '../contract.ts';
import type { LoadedScope } from '../scope/scope.ts';
import { readMethodArgument } from './method.ts';
import { readPortsArgument, readPortsWithin } from './ports.ts';
import { readTargetArgument } from './target.ts';
import { readUrlArgument } from './url.ts';

/** The argument layer of one scope. */
export function aimMeans(scope: LoadedScope): AimMeans {
  return {
    target: (text) => readTargetArgument(scope, text),
    ports: (text) => readPortsArgument(scope, text),
    portsWithin: (text) => readPortsWithin(scope, text),
    url: (text, options) => readUrlArgument(scope, text, options),
    method: (text) => readMethodArgument(scope, text),
    limits: { urls: scope.urls.map(({ href }) => href), methods: scope.methods },
  };
}
