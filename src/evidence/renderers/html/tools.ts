import type { AnalysedTool, Analysis } from '../../../base/analysis-schema.ts';
import { cut, type Markup, markup, nothing, type Part } from './markup.ts';
import { chip, count, longTable, section } from './pieces.ts';
import type { Tone } from './tones.ts';

/** What each tool says of itself against what its calls were seen to do. */

const shown = 20;
const descriptionBytes = 240;

const observedTones: ReadonlyMap<string, Tone> = new Map([
  ['starts programs', 'medium'],
  ['uses the network', 'low'],
  ['writes files', 'low'],
]);

function saysOf({ annotations, contradicted }: AnalysedTool): Part {
  const all = Object.entries(annotations).slice(0, 12);
  if (all.length === 0 && contradicted.length === 0) return markup`<span class="faint">nothing</span>`;
  const said = all.map(([name, value]) =>
    contradicted.includes(name) ? nothing : markup`${chip(value ? name : `not ${name}`)} `,
  );
  const broken = contradicted.map((name) => {
    const value = annotations[name];
    return markup`${chip(markup`<s>${value === false ? `not ${name}` : name}</s> contradicted`, 'high')} `;
  });
  return markup`${broken}${said}`;
}

function didOf({ observed }: AnalysedTool): Part {
  if (observed.length === 0) return markup`<span class="faint">nothing to be seen</span>`;
  return observed.map((each) => markup`${chip(each, observedTones.get(each) ?? 'plain')} `);
}

export function toolsSection({ tools, start }: Analysis, prefix: string): Markup {
  if (tools.length === 0) {
    return start.isStarted
      ? section(`${prefix}-tools`, 'Tools', markup`<p class="empty">It offers no tools.</p>`)
      : nothing;
  }
  const sorted = tools.toSorted((one, other) => other.contradicted.length - one.contradicted.length);
  const columns = [
    { title: 'tool' },
    { title: 'it says' },
    { title: 'it did' },
    { title: 'calls answered' },
    { title: 'trials', isNumber: true },
  ];
  const rows = sorted.map((tool) => [
    markup`<code class="tool">${cut(tool.name, 120)}</code>${
      tool.description === undefined
        ? nothing
        : markup`<span class="description">${cut(tool.description, descriptionBytes)}</span>`
    }`,
    saysOf(tool),
    didOf(tool),
    tool.honestCalls === 0 ? chip('never used', 'unknown') : `${tool.answered} of ${tool.honestCalls}`,
    tool.trials,
  ]);
  const broken = tools.filter(({ contradicted }) => contradicted.length > 0).length;
  const note = `${count(tools.length, 'tool')}${broken === 0 ? '' : `; ${broken} ${broken === 1 ? 'does' : 'do'} what ${broken === 1 ? 'its' : 'their'} annotations deny`}.`;
  return section(`${prefix}-tools`, 'Tools', longTable({ columns }, rows, shown, 'tools'), note);
}
