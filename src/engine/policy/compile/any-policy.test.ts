import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { accesses, limitsSchema, networkModes, type Policy, policySchema } from '../../../base/policy-schema.ts';
import { fingerprintPolicy } from '../canonical.ts';
import { diffPolicies } from '../diff.ts';
import { explainPolicy } from '../explain.ts';
import { parsePolicy } from '../read/parse.ts';
import { knownSyscallNames } from '../syscalls/names.ts';
import { tierPolicy } from '../tiers.ts';
import { compile, compileTargets, readTarget } from './index.ts';
import { mountPoints } from './mount-points.ts';
import { compileMounts } from './mounts.ts';
import type { PathFact } from './place.ts';
import { samplePlace } from './sample-place.ts';

/** Policies that nobody would write, but that are valid. */
const part = fc.oneof(
  fc.constantFrom('usr', 'bin', 'a', 'b', 'etc', 'passwd', 'tmp', 'home', 'proc', 'dev', 'work', 'run', 'airlock'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
);
const path = fc
  .tuple(fc.constantFrom('/', '{home}', '{work}', '{tmp}'), fc.array(part, { maxLength: 4 }))
  .map(([root, parts]) => (root === '/' ? `/${parts.join('/')}` : [root, ...parts].join('/')))
  .filter((text) => policySchema.shape.files.element.shape.path.safeParse(text).success);
const host = fc.oneof(
  fc.constantFrom('*', 'example.com', '.example.com', 'a.b.example.com', '192.0.2.1', '2001:db8::1', '::1'),
  fc.domain().map((name) => name.toLowerCase()),
  fc.ipV4(),
);
const why = fc.option(fc.string({ unit: 'binary', maxLength: 10 }), { nil: undefined });
const port = fc.oneof(fc.integer({ min: 1, max: 65535 }), fc.constant('*' as const));
const bound = (name: keyof Policy['limits']) => {
  const { minValue, maxValue } = limitsSchema.shape[name];
  return { min: minValue ?? 0, max: Math.min(maxValue ?? 1, 2 ** 40) };
};
const whole = (name: keyof Policy['limits']) =>
  fc.integer({ min: bound(name).min, max: Math.min(bound(name).max, 2 ** 31 - 1) });

const anyPolicy: fc.Arbitrary<Policy> = fc
  .record({
    files: fc.array(fc.record({ path, access: fc.constantFrom(...accesses), why }), { maxLength: 12 }),
    environment: fc.array(fc.record({ name: fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,6}$/), why }), { maxLength: 4 }),
    network: fc.record({
      mode: fc.constantFrom(...networkModes),
      rules: fc.array(fc.record({ host, port, why }), { maxLength: 6 }),
    }),
    limits: fc.record({
      memoryBytes: whole('memoryBytes'),
      processes: whole('processes'),
      cpuCores: fc.double({ min: 0.05, max: 1024, noNaN: true }),
      wallMs: whole('wallMs'),
      outputBytes: whole('outputBytes'),
      fileBytes: whole('fileBytes'),
      diskBytes: whole('diskBytes'),
      openFiles: whole('openFiles'),
    }),
    syscalls: fc.record({
      deny: fc.array(fc.record({ name: fc.constantFrom(...knownSyscallNames()), why }), { maxLength: 30 }),
    }),
  })
  .map((parts) => JSON.parse(JSON.stringify({ version: 1, name: 'any', ...parts })) as Policy)
  .filter((policy) => policySchema.safeParse(policy).success);

const fact: fc.Arbitrary<PathFact> = fc.oneof(
  fc.constantFrom<PathFact>({ type: 'file' }, { type: 'folder' }, { type: 'other' }),
  fc.record({
    type: fc.constant('link' as const),
    target: path,
    resolved: path.filter((text) => text.startsWith('/')),
  }),
);

describe('any valid policy', () => {
  it('compiles for every target', () => {
    fc.assert(
      fc.property(anyPolicy, fc.integer({ min: 0, max: 9 }), (policy, landlockAbi) => {
        const place = samplePlace({ landlockAbi });
        for (const target of compileTargets) {
          const { text, gaps } = compile(policy, target, place);
          expect(text.endsWith('\n')).toBe(true);
          for (const { id, what } of gaps)
            expect([id, what]).toEqual([expect.stringMatching(/^[a-z-]+$/), expect.stringMatching(/./)]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('has mounts in an order that works, one per target, whatever the machine is like', () => {
    fc.assert(
      fc.property(anyPolicy, fc.array(fc.tuple(path, fact), { maxLength: 20 }), (policy, facts) => {
        const known = new Map([
          ...facts,
          ...policy.files.map((rule, at) => [rule.path, facts[at]?.[1] ?? { type: 'folder' as const }] as const),
        ]);
        const place = samplePlace({ pathFacts: known });
        const mounts = compileMounts(policy, place).value;
        const targets = mounts.map(({ target }) => target);
        expect(new Set(targets).size).toBe(targets.length);
        expect(targets).toEqual(expect.arrayContaining(['/home/alex', '/home/alex/project', '/tmp', '/run/airlock']));
        for (const [at, mount] of mounts.entries()) {
          const isHotcells = mount.kind === 'bind' && mount.of === 'hotcell';
          const later = mounts.slice(at + 1).filter((other) => mount.target.startsWith(`${other.target}/`));
          expect(isHotcells ? [] : later).toEqual([]);
        }
        for (const { at } of mountPoints(mounts, place.rootFolder)) {
          const roots = [place.rootFolder, ...Object.values(place.hostFolders)];
          expect(roots.some((root) => at.startsWith(`${root}/`))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is equal to itself, can be explained, and survives a file', () => {
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        expect(diffPolicies(policy, policy)).toEqual([]);
        expect(explainPolicy(policy).endsWith('\n')).toBe(true);
        try {
          const read = parsePolicy(JSON.parse(JSON.stringify(policy)), 'any').policy;
          expect(fingerprintPolicy(read)).toBe(fingerprintPolicy(policy));
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('differs from another both ways or has the same fingerprint', () => {
    fc.assert(
      fc.property(anyPolicy, anyPolicy, (a, b) => {
        const same = {
          ...b,
          environment: a.environment,
          network: { mode: 'none' as const, rules: [] },
          limits: a.limits,
        };
        const other = { ...a, network: { mode: 'none' as const, rules: [] } };
        const isSame = diffPolicies(other, same).length === 0 && diffPolicies(same, other).length === 0;
        expect(isSame).toBe(fingerprintPolicy(other) === fingerprintPolicy(same));
      }),
      { numRuns: 300 },
    );
  });
});

describe('readTarget', () => {
  it.each(compileTargets)('knows %s', (target) => {
    expect(readTarget(target)).toBe(target);
    expect(compile(tierPolicy('LOW'), target, samplePlace()).text.length).toBeGreaterThan(100);
  });

  it.each(['', 'ocii', 'toString', '__proto__'])('refuses %j', (name) => {
    expect(() => readTarget(name)).toThrow(UsageError);
  });
});
