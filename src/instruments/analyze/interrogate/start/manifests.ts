import { asArray, asObject, asString, asStrings, entriesOf, type JsonObject } from '../../../../base/json-shape.ts';
import type { StartExample } from './readme.ts';

/** What `server.json` and the manifest of a bundle say about starting, brought to the form of an example. */

export interface DeclaredStart {
  readonly args: readonly string[];
  readonly variables: readonly { readonly name: string; readonly example?: string }[];
  readonly transport?: 'stdio' | 'http';
}

const mostEntries = 64;

/** An argument of a registry's server.json: a named option, or a value in its place. */
function argumentWords(value: unknown): readonly string[] {
  const argument = asObject(value);
  const name = asString(argument.name);
  const text = asString(argument.value) ?? asString(argument.default);
  const hint = asString(argument.valueHint) ?? name ?? 'value';
  if (asString(argument.type) === 'named') {
    if (argument.isRequired !== true && text === undefined) return [];
    const option = name?.startsWith('-') === true ? name : `--${name ?? ''}`;
    return text === undefined ? (argument.format === 'boolean' ? [option] : [option, `<${hint}>`]) : [option, text];
  }
  if (text !== undefined) return [text.replace(/\{(\w+)\}/g, '<$1>')];
  return argument.isRequired === true ? [`<${hint}>`] : [];
}

export function readServerJson(manifest: JsonObject, isOwn: (name: string) => boolean): DeclaredStart {
  const packages = asArray(manifest.packages).map(asObject);
  const nameOf = (entry: JsonObject): string => asString(entry.identifier) ?? asString(entry.name) ?? '';
  const own = packages.find((entry) => isOwn(nameOf(entry))) ?? (packages.length === 1 ? packages[0] : undefined) ?? {};
  const listed = asArray(own.environmentVariables ?? own.environment_variables)
    .slice(0, mostEntries)
    .map(asObject);
  const variables = listed.flatMap((variable) => {
    const name = asString(variable.name);
    const isWanted = variable.isRequired === true || variable.is_required === true || variable.isSecret === true;
    const example = asString(variable.value) ?? asString(variable.default) ?? asStrings(variable.choices)[0];
    return name === undefined || !isWanted ? [] : [{ name, ...(example === undefined ? {} : { example }) }];
  });
  const kind = asString(asObject(own.transport).type);
  return {
    args: asArray(own.packageArguments ?? own.package_arguments)
      .slice(0, mostEntries)
      .flatMap(argumentWords),
    variables,
    ...(kind === undefined ? {} : { transport: kind === 'stdio' ? 'stdio' : 'http' }),
  };
}

/** `${user_config.x}` stands for what a person is asked; its default and its type say what that may be. */
function answerFor(name: string, manifest: JsonObject): string {
  const wish = asObject(asObject(manifest.user_config)[name]);
  const usual = Array.isArray(wish.default) ? asStrings(wish.default)[0] : wish.default;
  const isPlace = wish.type === 'directory' || wish.type === 'file';
  if (isPlace) return wish.type === 'file' ? `/path/to/${name}.json` : `/path/to/${name}`;
  return usual === undefined || wish.sensitive === true ? `<${name}>` : String(usual);
}

export interface BundleStart extends StartExample {
  /** File to be started, below the folder. */
  readonly entry?: string;
}

export function readBundleManifest(manifest: JsonObject): BundleStart | null {
  const server = asObject(manifest.server);
  const config = asObject(server.mcp_config);
  const command = asString(config.command);
  const entry = asString(server.entry_point);
  if (command === undefined && entry === undefined) return null;
  const folder = /\$\{__dirname\}[/\\]?/g;
  const fill = (text: string): string =>
    text.replace(/\$\{user_config\.([\w-]+)\}/g, (_, name: string) => answerFor(name, manifest));
  const words = asStrings(config.args).slice(0, mostEntries);
  const started = words.findIndex(
    (word) => entry !== undefined && word.replace(folder, '') === entry.replace(/^\.\//, ''),
  );
  const variables = entriesOf(config.env).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, fill(value.replace(folder, '{folder}/'))]] : [],
  );
  return {
    command: command ?? '',
    args: words.slice(started + 1).map((word) => fill(word.replace(folder, '{folder}/'))),
    environment: Object.fromEntries(variables),
    from: 'config',
    ...(entry === undefined ? {} : { entry: entry.replace(/^\.\//, '') }),
  };
}
