import type { BoxBackend } from '../../src/engine/box/index.ts';
import { backends } from '../../src/engine/box/index.ts';
import { type Page, table, titled } from './page.ts';

const strongestFirst: readonly BoxBackend[] = [...backends].sort((a, b) => b.strength - a.strength);

const effects = { open: 'weaker than asked', closed: 'stricter than asked' } as const;

function list(lines: readonly string[], otherwise: string): string {
  return lines.length === 0 ? otherwise : lines.map((line) => `- ${line}`).join('\n');
}

export const backendsPage: Page = {
  path: 'docs/reference/backends.md',
  render() {
    const overview = strongestFirst.map(({ id, title, strength, stops, cannot }) => [
      `\`${id}\``,
      title,
      String(strength),
      stops.join('; '),
      cannot.map((gap) => gap.id).join(', ') || 'nothing known',
    ]);
    const details = strongestFirst.flatMap(({ id, title, cannot }) => [
      `## ${id}`,
      `${title}.`,
      cannot.length === 0
        ? 'No known gaps.'
        : table(
            ['gap', 'effect', 'in the policy', 'what does not hold'],
            cannot.map((gap) => [gap.id, effects[gap.effect], gap.path === '' ? '' : `\`${gap.path}\``, gap.what]),
          ).trim(),
    ]);
    const body = [
      '`auto` goes from the top down and takes the first that passes its self-check on this machine. The [threat model](../threat-model.md) says what that means.',
      table(['id', 'what it is', 'strength', 'what it stops', 'what it cannot keep'], overview).trim(),
      ...details,
    ];
    return titled('Backends', body.join('\n\n'));
  },
};

export const threatModelPart: Page = {
  path: 'docs/threat-model.md',
  part: 'backends',
  render() {
    return strongestFirst
      .flatMap(({ id, title, stops, cannot }) => [
        `### ${id}`,
        `${title}.`,
        'It stops:',
        list(stops, '- nothing is claimed'),
        'It does not stop, or not as asked:',
        list(
          cannot.map((gap) => `${gap.what} (${effects[gap.effect]})`),
          '- nothing that is known',
        ),
      ])
      .join('\n\n');
  },
};
