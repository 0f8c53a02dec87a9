import { describeError, isKnownError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Lab } from '../lab.ts';

/** Whether the place can be reached, and whether it is REMnux. */

const askMs = 10 * secondMs;
const versionFile = '/etc/remnux-version';

export async function askPlace(
  lab: Lab,
  signal: AbortSignal,
): Promise<{ readonly problem: string | null; readonly remnuxVersion: string | null }> {
  try {
    await lab.connector.check();
    const { code, stdout } = await lab.connector.exec(['cat', versionFile], {
      timeoutMs: askMs,
      maxOutputBytes: 256,
      signal,
    });
    const version = stdout.toString('utf8').trim();
    return { problem: null, remnuxVersion: code === 0 && version !== '' ? forTerminal(untrusted(version, 64)) : null };
  } catch (error) {
    if (!isKnownError(error)) throw error;
    return {
      problem: `${describeError(error)}${error.hint === undefined ? '' : ` (${error.hint})`}`,
      remnuxVersion: null,
    };
  }
}
