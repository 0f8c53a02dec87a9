import { formatJson } from '../../base/format-json.ts';
import type { Renderer } from '../renderer.ts';

export const json: Renderer = {
  id: 'json',
  title: 'the report as it is, by its published schema',
  endings: ['.json'],
  render: ({ report }) => formatJson(report),
};
