import { describe, expect, it } from 'vitest';
import { hostileArguments, hostileArgumentsScope } from '../../../../test/samples/probe/hostile-arguments.ts';
import { isKnownError, UsageError } from '../../../base/errors.ts';
import { makeScope } from '../scope/load.ts';
import { aimMeans } from './means.ts';

const scope = await makeScope(JSON.stringify(hostileArgumentsScope), 'scope.json', {
  environment: {},
  resolve: async () => [],
  now: 0,
});
const means = aimMeans(scope);

function refusalOf(run: () => unknown): UsageError {
  try {
    const taken = run();
    throw new Error(`it was taken: ${JSON.stringify(taken)}`);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

describe('hostile arguments', () => {
  it('are many', () => {
    expect(hostileArguments.length).toBeGreaterThanOrEqual(150);
    expect(new Set(hostileArguments.map((entry) => JSON.stringify(entry))).size).toBe(hostileArguments.length);
  });

  it.each(hostileArguments.map((entry) => [entry.kind, JSON.stringify(entry.text).slice(0, 80), entry] as const))(
    '%s %s',
    (_kind, _text, { kind, text, reason, options }) => {
      const error = refusalOf(() => (kind === 'url' ? means.url(text, options) : means[kind](text)));
      expect(error.message).toMatch(new RegExp(`^${kind} "`));
      expect(error.message.replace(/^.*? is refused: /s, '')).toMatch(reason);
      expect(error.hint).toMatch(/\.$/);
      expect(isKnownError(error) && ['ARGUMENT_REFUSED', 'OUT_OF_SCOPE'].includes(error.code ?? '')).toBe(true);
      // What goes to a terminal or a model is short, on one line and can be seen.
      for (const shown of [error.message, error.hint ?? '']) {
        expect(shown.length).toBeLessThan(600);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }
    },
  );
});
