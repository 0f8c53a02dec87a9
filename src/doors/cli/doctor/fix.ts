import { createInterface } from 'node:readline/promises';
import { describeError } from '../../../base/errors.ts';
import { installPackages, planInstall, whyNotInstall } from '../../../engine/host/index.ts';
import type { Door } from '../definition.ts';
import type { FixReport, ToolReport } from './report.ts';

/** Names and arguments here are our own and hold nothing that a shell would change. */
const asLine = (argv: readonly string[]): string => argv.join(' ');

async function isAgreed(door: Door): Promise<boolean> {
  const asking = createInterface({ input: door.stdin, output: door.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question('  Run this now? [y/N] ')).trim());
  } finally {
    asking.close();
  }
}

/** Installs the packages of missing tools. Every way out says what was done and why no more. */
export async function fixTools(tools: readonly ToolReport[], isConsented: boolean, door: Door): Promise<FixReport> {
  const missing = tools.filter((tool) => tool.isFixed && tool.path === null).map((tool) => tool.package);
  const plan = planInstall(missing);
  const commands = plan.commands.map(asLine);
  const nothing = (because: string): FixReport => ({ commands, installed: [], unknown: [], because });
  if (plan.packages.length === 0) return nothing('nothing is missing');
  door.stderr.write(`${commands.map((line) => `  ${door.errorTerminal.style.code(line)}\n`).join('')}`);
  const obstacle = await whyNotInstall();
  if (obstacle !== null) return nothing(obstacle);
  if (!isConsented && !door.isInteractive) return nothing('nobody is there to ask; add --yes');
  if (!isConsented && !(await isAgreed(door))) return nothing('not agreed to');
  try {
    return { commands, ...(await installPackages(plan.packages)) };
  } catch (error) {
    return nothing(describeError(error));
  }
}
