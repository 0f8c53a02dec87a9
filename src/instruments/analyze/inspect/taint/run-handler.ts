import { bits } from './engine/bits.ts';
import { call } from './engine/call.ts';
import { wholeTaint, writeField } from './engine/fields.ts';
import type { Machine } from './engine/machine.ts';
import type { Registration } from './engine/observation.ts';
import { constant, extents, ofClosure, ofObject, tainted, unknown, type Value } from './engine/value.ts';

/** The arguments of a call, as whoever calls may choose them. */
function argumentsOf(machine: Machine, registration: Registration): Value {
  const { schema, at } = registration;
  const object = machine.allocate('arguments', schema === undefined ? { at } : { schema, at });
  return { ...ofObject(object), taints: [wholeTaint(machine, at)] };
}

function argument(machine: Machine, label: string, at: number): Value {
  const trace = machine.trace(at, `argument ${label}`, undefined);
  return tainted([{ label, bits: bits.exact, extent: extents.whole, trace }]);
}

/** Calls a handler the way its server would. */
export function runHandler(machine: Machine, registration: Registration): void {
  const { closure, at, kind } = registration;
  const outer = machine.activation;
  machine.activation = machine.activate(registration.module, undefined, undefined, undefined);
  machine.tool = registration.name;
  machine.beginServing();
  try {
    call(machine, ofClosure(closure), handlerArguments(machine, registration, kind, at), at);
  } finally {
    machine.endServing();
    machine.activation = outer;
  }
}

function handlerArguments(machine: Machine, registration: Registration, kind: string, at: number): readonly Value[] {
  const chosen = argumentsOf(machine, registration);
  if (registration.shape === 'arguments') return [chosen, unknown, unknown];
  if (registration.shape === 'resource') return [argument(machine, 'uri', at), chosen, unknown];
  const params = machine.allocate('object', { at });
  writeField(machine, params, 'name', { ...unknown, role: 'tool-name' }, true);
  writeField(machine, params, 'arguments', chosen, true);
  writeField(machine, params, 'uri', kind === 'resource' ? argument(machine, 'uri', at) : unknown, true);
  writeField(machine, params, '_meta', unknown, true);
  const request = machine.allocate('object', { at });
  writeField(machine, request, 'params', ofObject(params), true);
  writeField(machine, request, 'method', constant('tools/call'), true);
  return [ofObject(request), unknown];
}
