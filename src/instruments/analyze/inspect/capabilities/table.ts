import { z } from 'zod';
import { readRules } from '../../../../base/rules-folder.ts';
import { type CapabilityId, capabilityIds } from './contract.ts';
import { type Language, languages } from './ref.ts';
import { answer } from './resolve.ts';

const capability = z.enum(capabilityIds);
const effect = z.enum(['destroys']).optional();
const listed = z.strictObject({ capability, effect, names: z.array(z.string()) });
const perLanguage = <Schema extends z.ZodType>(schema: Schema) =>
  z.strictObject({ javascript: schema, python: schema });

const callsSchema = z.strictObject({
  note: z.string(),
  javascript: z.array(listed.extend({ modules: z.array(z.string()) })),
  python: z.array(listed),
  methods: perLanguage(z.array(listed)),
  imports: z.record(z.string(), capability),
  decoders: perLanguage(z.array(z.string())),
});

export interface Reached {
  readonly capability: CapabilityId;
  readonly destroys: boolean;
}

export interface CapabilityTable {
  /** By module and path, such as `fs` and `promises`, `writeFile`. */
  byName(language: Language, module: string, path: readonly string[]): Reached | undefined;
  byMethod(language: Language, name: string): Reached | undefined;
  byImport(module: string): CapabilityId | undefined;
  isDecoder(language: Language, module: string, path: readonly string[]): boolean;
}

/** Names in front of a global that change nothing. */
const globalObjects = new Set(['globalThis', 'window', 'self', 'global']);

export function dotted(module: string, path: readonly string[]): string {
  const plain = path.filter((name) => name !== 'default' && name !== answer);
  if (module === 'global') while (plain.length > 1 && globalObjects.has(plain[0] ?? '')) plain.shift();
  return [module, ...plain].join('.');
}

export function readTable(): CapabilityTable {
  const file = readRules('capabilities/calls.json', callsSchema);
  const names = { javascript: new Map<string, Reached>(), python: new Map<string, Reached>() };
  const methods = { javascript: new Map<string, Reached>(), python: new Map<string, Reached>() };
  const reached = (entry: z.infer<typeof listed>): Reached => ({
    capability: entry.capability,
    destroys: entry.effect === 'destroys',
  });
  for (const entry of file.javascript)
    for (const module of entry.modules)
      for (const name of entry.names) names.javascript.set(`${module}\n${name}`, reached(entry));
  for (const entry of file.python) for (const name of entry.names) names.python.set(name, reached(entry));
  for (const language of languages)
    for (const entry of file.methods[language])
      for (const name of entry.names) methods[language].set(name, reached(entry));
  const decoders = { javascript: new Set(file.decoders.javascript), python: new Set(file.decoders.python) };

  const inJavaScript = (module: string, path: readonly string[]): Reached | undefined => {
    const plain = dotted(module, path).slice(module.length + 1);
    const last = path.filter((name) => name !== 'default').at(-1) ?? '';
    const any = path.includes(answer) ? undefined : names.javascript.get(`${module}\n*`);
    return (
      names.javascript.get(`${module}\n${plain}`) ??
      (module === 'global' ? undefined : names.javascript.get(`${module}\n${last}`)) ??
      any
    );
  };
  const inPython = (module: string, path: readonly string[]): Reached | undefined => {
    const full = dotted(module, path).replace(/^global\./, '');
    const exact = names.python.get(full);
    if (exact !== undefined || path.includes(answer)) return exact;
    for (let at = full.lastIndexOf('.'); at > 0; at = full.lastIndexOf('.', at - 1)) {
      const found = names.python.get(`${full.slice(0, at)}.*`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    byName: (language, module, path) => (language === 'python' ? inPython(module, path) : inJavaScript(module, path)),
    byMethod: (language, name) => methods[language].get(name),
    byImport: (module) => (Object.hasOwn(file.imports, module) ? file.imports[module] : undefined),
    isDecoder: (language, module, path) =>
      decoders[language].has(dotted(module, path).replace(language === 'python' ? /^global\./ : /^$/, '')),
  };
}
