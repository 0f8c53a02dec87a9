import { parseClientConfig } from '../../../../targets/ingest/client-config/read.ts';
import { shownArgs } from '../../../../targets/ingest/client-config/server-target.ts';

/** A text of a config file as it may be shown: values of variables, headers and secret options are hidden. */

interface Secret {
  /** What stands before it on its line. */
  readonly name: string;
  readonly value: string;
}

/** So long a text is not there by chance. */
const shortestAnywhere = 8;
const hidden = '(hidden)';

function secretsIn(path: string, text: string): readonly Secret[] {
  const { servers } = parseClientConfig(path, text);
  return servers.flatMap(({ environment, headers, args }) => {
    const values = [...environment, ...headers].filter(([, value]) => !value.isReference);
    const shown = shownArgs(args);
    const words = args.flatMap((word, index) => {
      const seen = shown[index] ?? word;
      if (seen === word) return [];
      const value = seen.endsWith(`=${hidden}`) ? word.slice(seen.length - hidden.length) : word;
      return [{ name: args[index - 1] ?? '', value }];
    });
    return [...values.map(([name, value]) => ({ name, value: value.reveal() })), ...words];
  });
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export function maskText(path: string, text: string): string {
  let masked = text;
  const secrets = secretsIn(path, text).filter(({ value }) => value !== '');
  for (const { name, value } of secrets.sort((one, other) => other.value.length - one.value.length)) {
    const written = [...new Set([value, JSON.stringify(value).slice(1, -1)])];
    for (const form of written) {
      if (form.length >= shortestAnywhere) masked = masked.replaceAll(form, hidden);
      else
        masked = masked.replace(
          new RegExp(`(${literally(name)}["']?\\s*[:=,]\\s*["']?)${literally(form)}`, 'g'),
          `$1${hidden}`,
        );
    }
  }
  return masked;
}
