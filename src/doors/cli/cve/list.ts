import { exitCodes } from '../../../base/errors.ts';
import { attacks } from '../../../instruments/guard/attacks/read-attacks.ts';
import type { Door } from '../definition.ts';
import { formatJson, renderRows } from '../terminal/index.ts';

export async function runList({ json }: { readonly json: boolean }, { stdout, terminal }: Door): Promise<number> {
  if (json) {
    stdout.write(formatJson({ attacks }));
    return exitCodes.clean;
  }
  const { style } = terminal;
  const rows = attacks.map(({ id, package: { name }, vulnerable, fixed, title }) => [
    style.strong(id),
    name,
    `${vulnerable} ${terminal.symbols.arrow} ${fixed ?? 'not fixed'}`,
    title,
  ]);
  stdout.write(renderRows(rows, { ...terminal, indent: 0 }));
  return exitCodes.clean;
}
