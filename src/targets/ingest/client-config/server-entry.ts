import type { ConfiguredServer } from './contract.ts';
import { HiddenText } from './hidden-text.ts';
import { isRecord, type ServerNode } from './shapes.ts';

/** One server, in the words of any client. */

type Fields = Readonly<Record<string, unknown>>;

function firstText(value: Fields, keys: readonly string[]): string | undefined {
  return keys.map((key) => value[key]).find((item) => typeof item === 'string' && item !== '') as string | undefined;
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => ['string', 'number', 'boolean'].includes(typeof item)).map(String);
}

/** `{A: "b"}`, `["A=b"]` and lists of names. */
function hiddenValues(...sources: readonly unknown[]): Map<string, HiddenText> {
  const found = new Map<string, HiddenText>();
  for (const source of sources) {
    if (isRecord(source)) {
      for (const [name, value] of Object.entries(source)) {
        if (['string', 'number', 'boolean'].includes(typeof value)) found.set(name, new HiddenText(String(value)));
      }
    }
    for (const item of texts(source)) {
      const [name = '', value = ''] = item.split(/=(.*)/s);
      found.set(name, new HiddenText(value));
    }
  }
  return found;
}

interface CommandParts {
  readonly command?: string;
  readonly args: readonly string[];
  readonly environment?: unknown;
}

/** A string with arguments apart, a list with everything, or a record of both. */
function readCommand(value: Fields): CommandParts {
  const { command } = value;
  const args = texts(value.args);
  if (Array.isArray(command)) {
    const [program, ...rest] = texts(command);
    return program === undefined ? { args } : { command: program, args: [...rest, ...args] };
  }
  if (isRecord(command)) {
    const path = firstText(command, ['path', 'command']);
    const own = { args: texts(command.args), environment: command.env };
    return path === undefined ? own : { command: path, ...own };
  }
  const text = firstText(value, ['command', 'cmd']);
  return text === undefined ? { args } : { command: text, args };
}

/** Some clients put everything that says how to reach a server one level down. */
function flatten(value: Fields): Fields {
  return isRecord(value.transport) ? { ...value, ...value.transport } : value;
}

export function readServer(
  node: ServerNode,
  client: string,
  path: string,
  line: number | undefined,
): ConfiguredServer | undefined {
  const value = flatten(node.value);
  const { command, args, environment } = readCommand(value);
  const url = firstText(value, ['url', 'serverUrl', 'httpUrl', 'uri']);
  if (command === undefined && url === undefined) return undefined;
  const cwd = firstText(value, ['cwd', 'workingDirectory', 'working_directory']);
  return {
    name: node.name,
    client,
    ...(command === undefined ? {} : { command }),
    args,
    ...(cwd === undefined ? {} : { cwd }),
    ...(url === undefined || command !== undefined ? {} : { url }),
    environment: hiddenValues(environment, value.env, value.envs, value.environment, value.env_keys, value.env_vars),
    headers: hiddenValues(
      value.headers,
      value.http_headers,
      isRecord(value.requestInit) ? value.requestInit.headers : undefined,
    ),
    isDisabled: value.disabled === true || value.enabled === false,
    where: { path, keys: node.keys.map(String), ...(line === undefined ? {} : { line }) },
  };
}
