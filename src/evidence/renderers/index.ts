import type { Renderer } from '../renderer.ts';
import { cyclonedx } from './cyclonedx.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';

/** The terminal is not among them: what is shown there depends on the terminal. */
export const renderers: readonly Renderer[] = [json, sarif, cyclonedx, markdown, html];

/** By the ending of a file, the longest that fits. */
export function rendererFor(path: string): Renderer | null {
  const fits = renderers.flatMap((renderer) =>
    renderer.endings.filter((ending) => path.toLowerCase().endsWith(ending)).map((ending) => ({ renderer, ending })),
  );
  return fits.toSorted((left, right) => right.ending.length - left.ending.length)[0]?.renderer ?? null;
}
