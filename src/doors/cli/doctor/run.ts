import { exitCodes } from '../../../base/errors.ts';
import { backends as allBackends, cleanLeftovers } from '../../../engine/box/index.ts';
import { cleanNetworks } from '../../../engine/net/index.ts';
import { readVersion } from '../../tools/version.ts';
import type { Door } from '../definition.ts';
import { exitCodeOf, type Interrupts, withInterrupts } from '../interrupts.ts';
import { formatJson } from '../terminal/index.ts';
import { examineBackend, examineKernel, examineTools } from './examine.ts';
import { fixTools } from './fix.ts';
import {
  renderBackends,
  renderClean,
  renderFix,
  renderHeading,
  renderKernel,
  renderTools,
  renderVerdict,
} from './render.ts';
import type { BackendReport, CleanReport, DoctorReport } from './report.ts';

export interface DoctorWishes {
  readonly json: boolean;
  readonly fix: boolean;
  readonly clean: boolean;
  readonly yes: boolean;
}

/** On a terminal, a line that says what is being tried and is gone afterwards. */
function showProgress(door: Door, text: string): void {
  if (door.isInteractive)
    door.stderr.write(`\r\u001b[K${text === '' ? '' : `  ${door.errorTerminal.style.faint(text)}`}`);
}

async function examineBackends(door: Door, interrupts: Interrupts): Promise<readonly BackendReport[]> {
  const { runtimeFolder, dockerSocket } = door.settings.values;
  const reports: BackendReport[] = [];
  // One after the other: a box that is being tried should not slow down its neighbour's.
  for (const backend of [...allBackends].sort((a, b) => b.strength - a.strength)) {
    if (interrupts.signal.aborted) break;
    showProgress(door, `trying ${backend.id}…`);
    reports.push(await examineBackend(backend, { runtimeFolder, dockerSocket }));
  }
  showProgress(door, '');
  return reports;
}

/** Boxes undo their networks with themselves; what is left then are networks that never had a box. */
async function cleanUp(runtimeFolder: string): Promise<CleanReport> {
  const { removed, kept } = await cleanLeftovers(runtimeFolder);
  const networks = process.getuid?.() === 0 ? await cleanNetworks() : [];
  return { removed: [...removed, ...networks], kept };
}

async function examine(wishes: DoctorWishes, door: Door, interrupts: Interrupts): Promise<DoctorReport> {
  const { terminal, settings } = door;
  const say = (heading: string, text: string): void => {
    if (!wishes.json) door.stdout.write(`${renderHeading(heading, terminal)}${text}\n`);
  };
  const clean = wishes.clean ? await cleanUp(settings.values.runtimeFolder) : undefined;
  if (clean !== undefined) say('Left behind by killed runs', renderClean(clean, terminal));
  const fix = wishes.fix ? await fixTools(await examineTools(), wishes.yes, door) : undefined;
  if (fix !== undefined) say('Packages', renderFix(fix, terminal));
  const kernel = await examineKernel();
  say('Kernel, as tried', renderKernel(kernel, terminal));
  const backends = await examineBackends(door, interrupts);
  say('Boxes, strongest first', renderBackends(backends, terminal));
  const tools = await examineTools();
  say('Programs that parts of Hotcell call', renderTools(tools, terminal));
  const auto = backends.find((backend) => backend.state === 'works')?.id ?? null;
  if (!wishes.json) door.stdout.write(renderVerdict(backends, auto, terminal));
  return {
    version: await readVersion(),
    ...(clean === undefined ? {} : { clean }),
    ...(fix === undefined ? {} : { fix }),
    kernel,
    backends,
    tools,
    auto,
  };
}

export function runDoctor(wishes: DoctorWishes, door: Door): Promise<number> {
  return withInterrupts(async (interrupts) => {
    const report = await examine(wishes, door, interrupts);
    const signal = interrupts.received();
    if (signal !== null) return exitCodeOf(signal);
    if (wishes.json) door.stdout.write(formatJson(report));
    return report.auto === null ? exitCodes.noIsolation : exitCodes.clean;
  });
}
