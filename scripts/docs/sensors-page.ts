import { sensorDescriptions } from '../../src/engine/sensor/index.ts';
import { type Page, table, titled } from './page.ts';

const effects = { open: 'not seen', closed: 'seen as more than it is' } as const;

export const sensorsPage: Page = {
  path: 'docs/reference/sensors.md',
  render() {
    const overview = sensorDescriptions.map(({ id, title, backends, sees }) => [
      `\`${id}\``,
      title,
      backends.length === 0 ? 'all' : backends.join(', '),
      sees.join(', '),
    ]);
    const details = sensorDescriptions.flatMap(({ id, cannot }) => [
      `## What ${id} does not see`,
      cannot.length === 0
        ? 'Nothing is known that it misses.'
        : table(
            ['gap', 'effect', 'what'],
            cannot.map((gap) => [gap.id, effects[gap.effect], gap.what]),
          ).trim(),
    ]);
    const body = [
      'A sensor watches a box from before the first instruction of its target. `completeness.json` of a run says of each whether it saw everything; silence of one that did not is *unknown*, never *nothing happened*. The fields of each kind of event are in [event.json](../schema/event.json).',
      table(['id', 'what it is', 'backends', 'kinds of events'], overview).trim(),
      ...details,
    ];
    return titled('Sensors', body.join('\n\n'));
  },
};
