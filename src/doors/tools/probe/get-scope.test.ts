import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeScope } from '../../../instruments/probe/describe.ts';
import { sampleProbe } from '../../../instruments/probe/sample-probe.ts';
import { getScope, tellScope } from './get-scope.ts';

it.each([
  [{ ports: [80, '8000-8100'], methods: ['GET'] }, /127\.0\.0\.1\. It holds now.*Ports: 80, 8000-8100.*Methods: GET/s],
  [{ urls: ['http://127.0.0.1/v1'] }, /Ports: all\. URLs: http:\/\/127\.0\.0\.1\/v1/],
  [{ targets: Array.from({ length: 60 }, (_, at) => `127.0.0.${at + 1}`) }, /127\.0\.0\.50 and 10 more/],
  [{ authorization: { by: 'me', reference: 'x', statement: 'a'.repeat(8000) } }, /every path/],
])('a scope in words, %#', async (more, words) => {
  const probe = await sampleProbe(more);
  const told = await describeScope(probe, Date.now());
  expect(tellScope(told)).toMatch(words);
  expect(getScope.output.safeParse(told).error).toBeUndefined();
  await rm(probe.options.homeFolder, { recursive: true });
});
