import { makeFinding } from '../../inspect/rule.ts';
import { redact } from '../../inspect/secrets/index.ts';
import { evidenceAt, type ResultInspector, type ResultOptions } from './contract.ts';
import { resultRules } from './rules.ts';

const shortestSecret = 12;

/** In plain; what is encoded is recognised where everything that leaves the box is searched. */
export function inspectSecretsInResults(secrets: NonNullable<ResultOptions['secrets']>): ResultInspector {
  const sought = secrets.filter(({ value }) => value.length >= shortestSecret);
  return (call) => {
    // What a trial brings to light is its own proof.
    if (call.isTrial) return [];
    const found = sought.filter(({ value }) => call.text.includes(value));
    if (found.length === 0) return [];
    const given = call.given();
    const own = found.filter(({ value }) => !given.some((text) => text.includes(value)));
    if (own.length === 0) return [];
    return [
      makeFinding(resultRules.secrets, {
        ...{ identity: [call.tool], evidenceClass: 'B' },
        title: `${call.tool}: gives ${own.map(({ name }) => name).join(', ')} to the model`,
        evidence: own.slice(0, 5).map(({ name, value }) => evidenceAt(call, `${name}: ${redact(value)}`)),
      }),
    ];
  };
}
