import { UsageError } from '../../../base/errors.ts';
import { type Severity, severities } from '../../../base/finding-schema.ts';
import type { Renderer } from '../../../evidence/renderer.ts';
import { rendererFor, renderers } from '../../../evidence/renderers/index.ts';

/** What the command line of `hotcell scan` says. */
export interface ScanWishes {
  readonly format?: string | undefined;
  readonly output: readonly string[];
  readonly failOn?: string | undefined;
  readonly baseline?: string | undefined;
  readonly writeBaseline?: string | undefined;
  readonly offline: boolean;
  readonly offlineOk: boolean;
  readonly details: boolean;
  readonly list: boolean;
  readonly explain?: string | undefined;
}

export function readSeverity(text: string | undefined): Severity {
  if (text === undefined) return 'high';
  const severity = severities.find((known) => known === text);
  if (severity === undefined) {
    throw new UsageError(`--fail-on ${JSON.stringify(text)}: expected ${severities.join(', ')}`);
  }
  return severity;
}

export function readFormat(text: string | undefined): Renderer | null {
  if (text === undefined) return null;
  const renderer = renderers.find(({ id }) => id === text);
  if (renderer === undefined) {
    throw new UsageError(`--format ${JSON.stringify(text)}: expected ${renderers.map(({ id }) => id).join(', ')}`);
  }
  return renderer;
}

export interface OutputFile {
  readonly path: string;
  readonly renderer: Renderer;
}

/** All are understood before any work is done. */
export function readOutputs(paths: readonly string[]): readonly OutputFile[] {
  return paths.map((path) => {
    const renderer = rendererFor(path);
    if (renderer !== null) return { path, renderer };
    const endings = renderers.flatMap((known) => known.endings).join(', ');
    throw new UsageError(`--output ${JSON.stringify(path)}: the ending says no format`, {
      hint: `use one of ${endings}`,
    });
  });
}
