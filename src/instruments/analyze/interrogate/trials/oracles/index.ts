import type { Observed, Oracle, Proof } from '../contract.ts';
import { lookForOption } from './argv-option.ts';
import { lookForCanary } from './canary-in-result.ts';
import { lookForProduct } from './computed.ts';
import { lookForExec } from './exec-marker.ts';
import { lookForFile } from './file-marker.ts';
import { lookForOpen } from './open-outside.ts';
import { lookForRequest } from './request-to.ts';
import { lookAtTime } from './timing.ts';

export function lookWith(oracle: Oracle, observed: Observed): Proof | null {
  switch (oracle.kind) {
    case 'exec-marker':
      return lookForExec(oracle, observed);
    case 'file-marker':
      return lookForFile(oracle, observed);
    case 'canary-in-result':
      return lookForCanary(oracle, observed);
    case 'request-to':
      return lookForRequest(oracle, observed);
    case 'argv-option':
      return lookForOption(oracle, observed);
    case 'open-outside':
      return lookForOpen(oracle, observed);
    case 'sql-altered':
    case 'computed':
      return lookForProduct(oracle, observed);
    case 'timing':
      return lookAtTime(oracle, observed);
    case 'echo-never':
      return null;
  }
}
