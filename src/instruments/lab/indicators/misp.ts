import { indicatorKinds } from './kinds/index.ts';
import type { IndicatorResult } from './types.ts';
import { uuid5 } from './uuid.ts';

export interface MispOptions {
  readonly name: string;
  readonly sha256?: string;
  readonly tlp?: 'clear' | 'green' | 'amber' | 'amber+strict' | 'red';
  /** Now when it is not given. */
  readonly at?: Date;
  /** From this confidence on an attribute is meant for detection; 0.5 when it is not given. */
  readonly detectFrom?: number;
}

const namespace = '5d6c9a5e-3f0f-5d57-9d0a-7b2f5b1c6f11';
/** What says something about the sample, and matches half the world. */
const neverDetect = new Set([
  'attack_technique',
  'cve',
  'network_port',
  'powershell_cmdlet',
  'suspicious_executable',
  'private_key',
  'cloud_key',
  'asn',
]);

export interface MispAttribute {
  readonly uuid: string;
  readonly type: string;
  readonly category: string;
  readonly value: string;
  readonly to_ids: boolean;
  readonly comment: string;
  readonly distribution: string;
  readonly timestamp: string;
}

export interface MispEvent {
  readonly Event: {
    readonly uuid: string;
    readonly info: string;
    readonly date: string;
    readonly timestamp: string;
    readonly threat_level_id: string;
    readonly analysis: string;
    readonly distribution: string;
    readonly published: boolean;
    readonly Attribute: readonly MispAttribute[];
    readonly Tag: readonly { readonly name: string }[];
  };
}

/** A MISP event of what is no noise: threat level undefined, analysis initial, for the own organisation only. */
export function toMisp(result: Pick<IndicatorResult, 'indicators'>, options: MispOptions): MispEvent {
  const at = options.at ?? new Date();
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const subject = options.sha256 ?? options.name;
  const from = options.detectFrom ?? 0.5;
  const kinds = new Map(indicatorKinds.map((kind) => [kind.type, kind]));
  const attributes = result.indicators
    .filter(({ noise }) => noise === undefined)
    .map((indicator): MispAttribute => {
      const kind = kinds.get(indicator.type);
      const { type = 'text', category = 'Other' } = kind?.misp ?? {};
      return {
        uuid: uuid5(namespace, JSON.stringify([subject, indicator.type, indicator.value])),
        type,
        category,
        value: indicator.type === 'asn' ? indicator.value.slice(2) : indicator.value,
        to_ids: type !== 'text' && indicator.confidence >= from && !neverDetect.has(indicator.type),
        comment: `${kind?.title ?? indicator.type}, confidence ${indicator.confidence}, seen ${indicator.count} times`,
        distribution: '5',
        timestamp,
      };
    });
  if (options.sha256 !== undefined) {
    attributes.unshift({
      uuid: uuid5(namespace, JSON.stringify([subject, 'sample'])),
      type: 'sha256',
      category: 'Payload delivery',
      value: options.sha256.toLowerCase(),
      to_ids: false,
      comment: 'the sample that was searched',
      distribution: '5',
      timestamp,
    });
  }
  return {
    Event: {
      uuid: uuid5(namespace, JSON.stringify([subject, timestamp])),
      info: options.name,
      date: at.toISOString().slice(0, 10),
      timestamp,
      threat_level_id: '4',
      analysis: '0',
      distribution: '0',
      published: false,
      Attribute: attributes,
      Tag: options.tlp === undefined ? [] : [{ name: `tlp:${options.tlp}` }],
    },
  };
}
