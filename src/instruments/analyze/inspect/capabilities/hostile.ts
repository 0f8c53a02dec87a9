import { z } from 'zod';
import type { Finding } from '../../../../base/finding-schema.ts';
import { kibibyte } from '../../../../base/limits.ts';
import { readRules } from '../../../../base/rules-folder.ts';
import { ingredientsOf, textsOf } from './ingredients.ts';
import type { CallRef, Ref } from './ref.ts';
import { findingAt } from './report.ts';
import { capabilityRules } from './rules.ts';
import type { Analysis, Use } from './uses.ts';

/** Combinations that honest servers have little use for. */

const placesSchema = z.array(z.strictObject({ what: z.string(), pattern: z.string() }));
const persistenceSchema = z.strictObject({
  note: z.string(),
  files: placesSchema,
  clients: placesSchema,
  commands: placesSchema,
  fetchAndRun: z.string(),
});

const compile = (places: z.infer<typeof placesSchema>) =>
  places.map(({ what, pattern }) => ({ what, pattern: new RegExp(pattern, 'i') }));

/** Readers of foreign objects are a weakness by themselves; here only what runs text counts. */
const evaluators =
  /(?:^|\.)(?:eval|exec|compile|Function|runInThisContext|runInNewContext|runInContext|Script|compileFunction|SourceTextModule|import)$/;

const callOf = ({ site }: Use): CallRef | undefined => (site.ref.kind === 'call' ? site.ref : undefined);

const isEvaluator = (use: Use): boolean =>
  (use.capability === 'eval' || use.capability === 'dynamic-import') &&
  evaluators.test(use.via) &&
  callOf(use) !== undefined;

/** `import()` runs text only when that text is in the address. */
function evaluatedParts(use: Use, { resolver }: Analysis): readonly Ref[] {
  const call = callOf(use);
  if (call === undefined) return [];
  const parts = call.args.flatMap((argument) => ingredientsOf(argument, resolver));
  const isImport = use.capability === 'dynamic-import';
  return isImport && !textsOf(parts).some((text) => /^data:/i.test(text)) ? [] : parts;
}

function reaches(
  parts: readonly Ref[],
  capability: Use['capability'],
  use: Use,
  { resolver, table }: Analysis,
): string | undefined {
  for (const part of parts) {
    if (part.kind !== 'call') continue;
    const of = resolver.resolve(part.of);
    if (of?.kind !== 'external') continue;
    if (table.byName(use.routine.file.language, of.module, of.path)?.capability === capability)
      return [of.module, ...of.path].join('.');
  }
  return undefined;
}

const encodings = /^(?:base64|base64url|hex)$/i;

function decoderIn(parts: readonly Ref[], use: Use, { resolver, table }: Analysis): string | undefined {
  for (const part of parts) {
    if (part.kind !== 'call') continue;
    const of = resolver.resolve(part.of);
    if (of?.kind !== 'external') continue;
    if (table.isDecoder(use.routine.file.language, of.module, of.path)) return [of.module, ...of.path].join('.');
    const encoding = part.args[1] === undefined ? undefined : resolver.resolve(part.args[1]);
    const isBuffer = of.path.at(-2) === 'Buffer' && of.path.at(-1) === 'from';
    if (isBuffer && encoding?.kind === 'text' && encodings.test(encoding.text))
      return `Buffer.from(…, ${encoding.text})`;
  }
  return undefined;
}

/** Text that came over the network, or was hidden by an encoding, and is then run. */
export function findHiddenCode(uses: readonly Use[], analysis: Analysis): readonly Finding[] {
  return uses.flatMap((use) => {
    const call = callOf(use);
    if (call === undefined) return [];
    if (isEvaluator(use)) {
      const parts = evaluatedParts(use, analysis);
      const source = reaches(parts, 'network-out', use, analysis);
      if (source !== undefined)
        return [findingAt(capabilityRules.remoteCode, use, { title: `${use.via} runs text that ${source} brought` })];
      const decoder = decoderIn(parts, use, analysis);
      if (decoder !== undefined)
        return [findingAt(capabilityRules.decodedCode, use, { title: `${use.via} runs text out of ${decoder}` })];
    }
    if (use.capability !== 'process') return [];
    const parts = call.args
      .slice(0, 2)
      .flatMap((argument) => (argument.kind === 'object' ? [] : ingredientsOf(argument, analysis.resolver)));
    const decoder = decoderIn(parts, use, analysis);
    return decoder === undefined
      ? []
      : [findingAt(capabilityRules.decodedCode, use, { title: `${use.via} starts what came out of ${decoder}` })];
  });
}

/** The argument that names the file, by function; the receiver for methods of a path. */
function writtenPath(use: Use): Ref | undefined {
  const call = callOf(use);
  if (call === undefined) return undefined;
  const isMethodOfPath =
    use.routine.file.language === 'python' &&
    /(?:write_text|write_bytes|touch|Path\.open|symlink_to|mkdir)$/.test(use.via) &&
    !use.via.startsWith('os.');
  if (isMethodOfPath) return call.of.kind === 'member' ? call.of.of : undefined;
  return /(?:rename|copy|copyFile|link|symlink|cp|move|replace|copy2|copyfile)(?:Sync)?$/.test(use.via)
    ? call.args[1]
    : call.args[0];
}

export function findPersistence(uses: readonly Use[], analysis: Analysis, hasInstaller: boolean): readonly Finding[] {
  const data = readRules('capabilities/persistence.json', persistenceSchema);
  const [files, clients, commands] = [compile(data.files), compile(data.clients), compile(data.commands)];
  const fetchAndRun = new RegExp(data.fetchAndRun, 'i');
  return uses.flatMap((use) => {
    if (use.capability === 'file-write' && !use.destroys) {
      const path = writtenPath(use);
      const texts =
        path === undefined
          ? []
          : textsOf(ingredientsOf(path, analysis.resolver)).map((text) => text.replaceAll('\\', '/'));
      const forms = [...texts, texts.join('/')];
      const place = files.find(({ pattern }) => forms.some((form) => pattern.test(form)));
      if (place !== undefined) return [findingAt(capabilityRules.persistence, use, { title: `Writes ${place.what}` })];
      const client = clients.find(({ pattern }) => forms.some((form) => pattern.test(form)));
      if (client === undefined) return [];
      return [
        findingAt(capabilityRules.persistence, use, {
          title: `Writes ${client.what}`,
          severity: hasInstaller ? 'medium' : 'high',
        }),
      ];
    }
    const call = use.capability === 'process' ? callOf(use) : undefined;
    if (call === undefined) return [];
    const texts = call.args
      .slice(0, 2)
      .flatMap((argument) => (argument.kind === 'object' ? [] : textsOf(ingredientsOf(argument, analysis.resolver))));
    const forms = [...texts, texts.join(' ')];
    const command = commands.find(({ pattern }) => forms.some((form) => pattern.test(form)));
    if (command !== undefined)
      return [findingAt(capabilityRules.persistence, use, { title: `Changes ${command.what} with a command` })];
    const isFetched = forms.some((form) => fetchAndRun.test(form));
    return isFetched
      ? [
          findingAt(capabilityRules.remoteCode, use, {
            title: 'A command downloads a program and runs it',
            severity: 'medium',
          }),
        ]
      : [];
  });
}

const enumerating =
  /^(?:global\.Object\.(?:entries|keys|values)|global\.JSON\.stringify|json\.dumps|global\.(?:dict|str|repr|list)|os\.environ\.(?:items|copy|values))$/;
const smallFileBytes = 64 * kibibyte;

/** Whether it is the whole environment, and not a variable of it. */
function isEnvironment(ref: Ref, { resolver }: Analysis): boolean {
  const meaning = resolver.resolve(ref);
  if (meaning?.kind !== 'external') return false;
  const name = [meaning.module, ...meaning.path].join('.');
  return /^(?:global\.process\.env|process\.env|process\.default\.env|os\.environ)$/.test(name);
}

/** The environment as a whole, in code that also sends. */
export function findEnvironmentSent(uses: readonly Use[], analysis: Analysis): readonly Finding[] {
  const found: Finding[] = [];
  const sending = uses.filter(({ capability, site }) => capability === 'network-out' && site.kind === 'call');
  for (const use of sending) {
    const call = callOf(use);
    const parts =
      call === undefined
        ? []
        : [...call.args, ...call.named.values()].flatMap((argument) => ingredientsOf(argument, analysis.resolver));
    // `process.env.KEY` is a member of it, and has it among its parts.
    const narrowed = new Set(
      parts.flatMap((part) => (part.kind === 'member' && isEnvironment(part.of, analysis) ? [part.of] : [])),
    );
    if (parts.some((part) => !narrowed.has(part) && isWhole(part, analysis)))
      found.push(
        findingAt(capabilityRules.environmentSent, use, {
          title: `${use.via} is given the whole environment`,
          severity: 'high',
        }),
      );
  }
  if (found.length > 0) return found;
  const starts = new Set(uses.filter(({ capability }) => capability === 'process').map(({ routine }) => routine.file));
  for (const file of analysis.program.files.values()) {
    const sends = sending.filter(({ routine }) => routine.file === file);
    if (sends.length === 0) continue;
    for (const routine of file.routines) {
      const isNear =
        file.sizeBytes <= smallFileBytes ||
        sends.some((send) => send.routine === routine || send.routine.parent === routine);
      const site = isNear
        ? routine.sites.find(({ ref, kind }) =>
            kind === 'loop' ? isEnvironment(ref, analysis) : kind === 'call' && isWhole(ref, analysis),
          )
        : undefined;
      if (site === undefined || (isCopy(site.ref) && starts.has(file))) continue;
      const use: Use = {
        capability: 'environment',
        destroys: false,
        via: 'environment',
        module: '',
        line: site.line,
        site,
        routine,
      };
      found.push(findingAt(capabilityRules.environmentSent, use, {}));
      break;
    }
  }
  return found;
}

/** Programs are started with a copy of the environment. */
function isCopy(ref: Ref): boolean {
  return (
    ref.kind === 'call' && (ref.of.kind === 'member' || ref.of.kind === 'name') && /^(?:copy|dict)$/.test(ref.of.name)
  );
}

function isWhole(ref: Ref, analysis: Analysis): boolean {
  if (ref.kind !== 'call') return false;
  const of = analysis.resolver.resolve(ref.of);
  if (of?.kind !== 'external') return false;
  const name = [of.module, ...of.path].join('.');
  if (!enumerating.test(name)) return false;
  if (name.startsWith('os.environ.')) return true;
  const isSpread = (argument: Ref): boolean =>
    argument.kind === 'object' && argument.spread.some((spread) => isEnvironment(spread, analysis));
  return ref.args.some((argument) => isEnvironment(argument, analysis) || isSpread(argument));
}
