import { describeChanges, normaliseText } from '../../../base/normalise.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { cleanPath, isWithin } from '../../../engine/policy/paths.ts';
import { checkCommand } from '../command-shapes/index.ts';
import type { Audit, AuditCheck, AuditRequest, AuditVerdict } from './contract.ts';
import type { SubprocessDocument } from './documents.ts';

/** Whether what is about to be started is what was registered. */

function show(text: string): string {
  return JSON.stringify(forTerminal(untrusted(text.slice(0, 200))));
}

type Compared = Pick<AuditCheck, 'is' | 'why'>;
const pass = (why: string): Compared => ({ is: 'pass', why });
const fail = (why: string): Compared => ({ is: 'fail', why });

/** The same text is fine. One that only looks the same is worse than another one: somebody went to some length. */
function compareText(what: string, registered: string, requested: string): Compared {
  if (registered === requested) return pass(`${what} is as registered`);
  const { text, changes } = normaliseText(requested);
  if (text === normaliseText(registered).text) {
    const how = changes.length === 0 ? 'its letters are composed differently' : describeChanges(changes);
    return { is: 'suspect', why: `${what} reads as registered and is not: ${how}` };
  }
  const hidden = changes.length === 0 ? '' : `, and holds disguised characters: ${describeChanges(changes)}`;
  return fail(`${what} is ${show(requested)}, and ${show(registered)} was registered${hidden}`);
}

function worst(compared: readonly Compared[], otherwise: string): Compared {
  return compared.find(({ is }) => is === 'fail') ?? compared.find(({ is }) => is === 'suspect') ?? pass(otherwise);
}

function compareArguments(registered: readonly string[], requested: readonly string[]): Compared {
  if (registered.length !== requested.length) {
    return fail(`${requested.length} arguments are asked for, and ${registered.length} were registered`);
  }
  const compared = registered.map((argument, at) => compareText(`argument ${at + 1}`, argument, requested[at] ?? ''));
  return worst(compared, 'the arguments are as registered');
}

function checkNames(names: readonly string[], { policy }: SubprocessDocument): Compared {
  const known = new Set(policy.environment.map(({ name }) => name));
  const others = names.filter((name) => !known.has(name));
  if (others.length === 0) return pass('the policy lists every variable');
  return fail(`the policy does not list ${others.slice(0, 5).map(show).join(', ')}`);
}

function checkFolder(cwd: string, { policy }: SubprocessDocument): Compared {
  if (!/^(\/|\{(home|work|tmp)\}(\/|$))/.test(cwd) || cwd.split('/').includes('..')) {
    return fail(`${show(cwd)} is no absolute path without ".."`);
  }
  const folder = cleanPath(cwd);
  if (normaliseText(cwd).changes.length > 0) return fail(`${show(cwd)} holds disguised characters`);
  return policy.files.some(({ path }) => isWithin(folder, cleanPath(path)))
    ? pass('the policy lets it see that folder')
    : fail(`the policy does not let it see ${show(cwd)}`);
}

/** A disguise by itself is for a person to look at, as it is where texts are compared. */
const disguise = 'disguise';

function checkShape(binary: string, args: readonly string[]): Compared {
  const { shapes } = checkCommand([binary, ...args]);
  const hit = shapes.find(({ id }) => id !== disguise) ?? shapes[0];
  if (hit === undefined) return pass('the command has no exploitable shape');
  const why = `the command has an exploitable shape, ${hit.id}: ${hit.why} (${hit.where})`;
  return hit.id === disguise ? { is: 'suspect', why } : fail(why);
}

const notAsked: Compared = { is: 'not-asked', why: 'nothing was said about it' };
const verdicts: Readonly<Partial<Record<AuditCheck['is'], AuditVerdict>>> = { fail: 'block', suspect: 'quarantine' };

export function auditSubprocess(subprocess: SubprocessDocument, request: AuditRequest): Audit {
  const { requestedArgs, requestedBinary, environment, cwd } = request;
  const { binary } = subprocess;
  const checks: readonly AuditCheck[] = [
    {
      part: 'binary',
      ...(requestedBinary === undefined ? notAsked : compareText('the binary', binary, requestedBinary)),
    },
    { part: 'arguments', ...compareArguments(subprocess.args, requestedArgs) },
    { part: 'environment', ...(environment === undefined ? notAsked : checkNames(environment, subprocess)) },
    { part: 'folder', ...(cwd === undefined ? notAsked : checkFolder(cwd, subprocess)) },
    { part: 'command-shape', ...checkShape(requestedBinary ?? binary, requestedArgs) },
  ];
  const { is, why } = worst(checks, 'everything that was asked for is as registered');
  return { verdict: verdicts[is] ?? 'approve', reason: why, checks };
}
