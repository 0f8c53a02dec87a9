import { compile, compileTargets, samplePlace, tierPolicy } from '../src/engine/policy/index.ts';
import { median } from './machine.ts';
import type { Result } from './result.ts';

/** Compiling a policy for each target. */
export function measureCompile(): readonly Result[] {
  const policy = tierPolicy('CRITICAL');
  const place = samplePlace();
  return compileTargets.map((target) => {
    const times = Array.from({ length: 300 }, () => {
      const startedAt = performance.now();
      compile(policy, target, place);
      return performance.now() - startedAt;
    }).slice(100);
    return {
      name: `compile for ${target}`,
      value: median(times),
      unit: 'ms',
      bar: 1,
      detail: 'median of 200, largest preset',
    };
  });
}
