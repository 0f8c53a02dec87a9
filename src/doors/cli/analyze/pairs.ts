import { UsageError } from '../../../base/errors.ts';
import { environmentRuleSchema } from '../../../base/policy-schema.ts';
import type { Prop } from '../../../instruments/analyze/interrogate/start/contract.ts';

/** Flags that hold a name and something about it. */

type Texts = Readonly<Record<string, string>>;

/** A variable that is only named is taken from the caller; none of the others ever gets into a box. */
export function readVariables(
  pairs: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Texts {
  const read = pairs.map((pair): readonly [string, string] => {
    const at = pair.indexOf('=');
    const name = at === -1 ? pair : pair.slice(0, at);
    const value = at === -1 ? environment[name] : pair.slice(at + 1);
    if (!environmentRuleSchema.shape.name.safeParse(name).success) {
      // The value may be a secret: only the part before it is repeated.
      throw new UsageError(`--env ${JSON.stringify(name.slice(0, 200))}: expected NAME=VALUE, or NAME to take yours`);
    }
    if (value === undefined) throw new UsageError(`--env ${name}: there is no such variable here`);
    if (!environmentRuleSchema.shape.value.safeParse(value).success) {
      throw new UsageError(`--env ${name}: a value has at most 32 KiB and no NUL`);
    }
    return [name, value];
  });
  return Object.fromEntries(read);
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;

export function readHeaders(lines: readonly string[]): Texts {
  const read = lines.map((line): readonly [string, string] => {
    const at = line.indexOf(':');
    const name = line.slice(0, Math.max(0, at)).trim();
    const value = line.slice(at + 1).trim();
    if (!headerName.test(name)) {
      throw new UsageError(`--header ${JSON.stringify(name.slice(0, 200))}: expected 'Name: value'`);
    }
    if (!headerValue.test(value)) throw new UsageError(`--header ${name}: the value holds what no header may`);
    return [name, value];
  });
  return Object.fromEntries(read);
}

const services = ['postgres', 'redis'] as const;
const programName = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;
const longestText = 4096;

function readProp(text: string): Prop {
  const service = services.find((known) => known === text);
  if (service !== undefined) return { kind: 'service', name: service };
  const [, name = '', , said = ''] = /^([^=]*)=stub(:([\s\S]*))?$/.exec(text) ?? [];
  if (programName.test(name) && said.length <= longestText) return { kind: 'program', name, text: said };
  throw new UsageError(
    `--prop ${JSON.stringify(text.slice(0, 200))}: expected ${services.join(', ')}, NAME=stub or NAME=stub:TEXT`,
    { hint: 'NAME=stub puts a program of that name on the path that prints TEXT and ends' },
  );
}

export function readProps(texts: readonly string[]): readonly Prop[] {
  return texts.map(readProp);
}

/** How a prop is written, so that `readProps` reads the same again. */
export function describeProp(prop: Prop): string {
  if (prop.kind === 'service') return prop.name;
  return `${prop.name}=stub${prop.text === '' ? '' : `:${prop.text}`}`;
}
