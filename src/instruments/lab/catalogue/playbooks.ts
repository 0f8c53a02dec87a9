import { z } from 'zod';
import { readRules } from '../../../base/rules-folder.ts';
import type { Facts } from '../contract.ts';
import { type KindId, kindIds } from '../kinds.ts';

const fileSchema = z.strictObject({
  playbooks: z.array(
    z.strictObject({ kinds: z.array(z.enum(kindIds)).min(1), steps: z.array(z.string().max(200)).min(2) }),
  ),
  hints: z.array(z.strictObject({ id: z.string(), matches: z.string(), hint: z.string().max(300) })),
});

/** What an analyst does with a file of this kind, in order. */
export function playbookFor(kind: KindId): readonly string[] {
  const { playbooks } = readRules('lab/playbooks.json', fileSchema);
  return playbooks.find(({ kinds }) => kinds.includes(kind))?.steps ?? [];
}

/** Values that name compilers, packers and installers, in the facts of whatever analyser or tool. */
const namingFacts = ['packer', 'packers', 'compiler', 'compilers', 'installers', 'detections', 'language', 'is_dll'];

/** Further advice from what is known about this very file. */
export function hintsFor(facts: readonly Facts[]): readonly string[] {
  const { hints } = readRules('lab/playbooks.json', fileSchema);
  const known = facts.flatMap((one) =>
    namingFacts.map((name) => (one[name] === undefined ? '' : `${name}:${JSON.stringify(one[name])}`)),
  );
  const text = known.join('\n').slice(0, 20_000);
  return hints.filter(({ matches }) => new RegExp(matches, 'i').test(text)).map(({ hint }) => hint);
}
