import { z } from 'zod';
import { readRules } from '../../../../base/rules-folder.ts';

const sinkSchema = z.strictObject({
  id: z.string(),
  category: z.string(),
  modules: z.array(z.string()).optional(),
  names: z.array(z.string()).optional(),
  methods: z.array(z.string()).optional(),
  arguments: z.array(z.number().int()),
  fields: z.array(z.string()).optional(),
});

const sinksFileSchema = z.strictObject({
  note: z.string(),
  sinks: z.array(sinkSchema),
  shells: z.array(z.string()),
  interpreters: z.array(z.string()),
  optionPrograms: z.array(z.string()),
});

export type Sink = z.infer<typeof sinkSchema>;

export interface SinkTable {
  byModule(module: string, name: string): readonly Sink[];
  byMethod(name: string): readonly Sink[];
  readonly shells: ReadonlySet<string>;
  readonly interpreters: ReadonlySet<string>;
  readonly optionPrograms: ReadonlySet<string>;
}

function index(
  sinks: readonly Sink[],
  keysOf: (sink: Sink) => readonly string[],
): ReadonlyMap<string, readonly Sink[]> {
  const table = new Map<string, Sink[]>();
  for (const sink of sinks) {
    for (const key of keysOf(sink)) table.set(key, [...(table.get(key) ?? []), sink]);
  }
  return table;
}

export function readSinks(name: 'sinks' | 'python-sinks' = 'sinks'): SinkTable {
  const file = readRules(`taint/${name}.json`, sinksFileSchema);
  const modules = index(file.sinks, (sink) =>
    (sink.modules ?? []).flatMap((module) => (sink.names ?? []).map((name) => `${module}\n${name}`)),
  );
  const methods = index(file.sinks, (sink) => sink.methods ?? []);
  return {
    byModule: (module, name) => modules.get(`${module}\n${name}`) ?? [],
    byMethod: (name) => methods.get(name) ?? [],
    shells: new Set(file.shells),
    interpreters: new Set(file.interpreters),
    optionPrograms: new Set(file.optionPrograms),
  };
}
