import type { Skipped } from '../analysers/run/index.ts';
import type { AnalyserRun, Kind } from '../contract.ts';
import type { Detonated } from '../detonation/detonate.ts';
import type { Lab } from '../lab.ts';
import { recogniseKind } from '../recognise/index.ts';
import type { HeldSample } from '../samples/room.ts';
import { type Inner, openInnerFiles } from './inner-files.ts';
import type { AnalyseOrder } from './order.ts';
import { type NotRun, runTools, type ToolOutcome } from './run-tools.ts';

/** Everybody looks at once: our own analysers in threads, tools on the bench, and the cell where one is wanted. */

export interface Looked {
  readonly kind: Kind;
  readonly runs: readonly AnalyserRun[];
  readonly skipped: readonly Skipped[];
  readonly tools: readonly ToolOutcome[];
  readonly notRun: readonly NotRun[];
  readonly inner: readonly Inner[];
  /** What was left out for want of room. */
  readonly notes: readonly string[];
  readonly detonated: Detonated | null;
}

const usualPasswords = ['infected', 'malware', 'virus'] as const;

async function detonateIf(lab: Lab, sample: HeldSample, kind: Kind, order: AnalyseOrder): Promise<Detonated | null> {
  if (!order.isDetonated) return null;
  const { detonate } = await import('../detonation/detonate.ts');
  const { bytes, name, sha256 } = sample;
  const { options } = lab;
  return detonate({ bytes, name, kind, sha256, seconds: order.detonationSeconds, options, signal: order.signal });
}

export async function look(lab: Lab, sample: HeldSample, order: AnalyseOrder): Promise<Looked> {
  const { signal, depth, progress = () => {} } = order;
  const { rulesFolders } = lab.options;
  const { bytes, name } = sample;
  const passwords = [...new Set([...order.passwords, ...usualPasswords])];
  const kind = recogniseKind(bytes, name);
  const common = { depth, passwords, rulesFolders, signal };
  progress('own analysers', 0);
  const looking = lab.analysers.run({
    ...common,
    bytes,
    name,
    kind,
    onProgress: ({ analyser, done, total }) => progress(analyser, (done / total) * 0.4),
  });
  const opening = looking.then(({ runs }) =>
    openInnerFiles({ ...common, pool: lab.analysers, runs, ownSha256: sample.sha256 }),
  );
  const working = lab.programs().then((programs) =>
    runTools({
      workbench: lab.workbench,
      catalogue: lab.catalogue,
      sample: { name, bytes },
      kind,
      depth,
      programs,
      timeoutMs: order.toolTimeoutMs,
      signal,
      onEnd: (id, done, total) => progress(id, 0.4 + (done / total) * 0.5),
    }),
  );
  const exploding = detonateIf(lab, sample, kind, order);
  const all = [looking, working, opening, exploding] as const;
  // Everybody has left before anybody is told: whoever cancels may close the lab right then.
  await Promise.allSettled(all);
  const [{ runs, skipped }, tools, opened, detonated] = await Promise.all(all);
  return {
    kind,
    runs,
    skipped,
    tools: tools.outcomes,
    notRun: tools.notRun,
    inner: opened.inner,
    notes: opened.notes,
    detonated,
  };
}
