export { toCsv } from './csv.ts';
export { defang } from './defang.ts';
export { extractIndicators } from './extract.ts';
export { type MispOptions, toMisp } from './misp.ts';
export { type StixOptions, toStix } from './stix.ts';
export {
  type Indicator,
  type IndicatorOptions,
  type IndicatorResult,
  type IndicatorTexts,
  type IndicatorType,
  indicatorTypes,
  type TypeTotal,
} from './types.ts';
export { toYara, yaraString } from './yara.ts';
