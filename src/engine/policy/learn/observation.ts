import type { Event, UntrustedJson } from '../../../base/event-schema.ts';

/** What one event says about needs: a file in some way, a program, or a place on the network. */

export type Need =
  | { readonly kind: 'file'; readonly path: string; readonly access: 'read' | 'write' }
  | { readonly kind: 'program'; readonly path: string }
  | { readonly kind: 'host'; readonly host: string; readonly port: number };

function textOf(field: unknown): string | null {
  const value = field as UntrustedJson | null | undefined;
  // A path that is no text cannot stand in a policy.
  return value !== null && typeof value === 'object' && 'text' in value && value.droppedBytes === undefined
    ? value.text
    : null;
}

function fileNeed(field: unknown, access: 'read' | 'write'): Need | null {
  const path = textOf(field);
  return path === null || !path.startsWith('/') ? null : { kind: 'file', path, access };
}

/** Opening a file that is not there is no need; nor is one that was refused. */
function openNeed({ fields, outcome }: Event): Need | null {
  if (outcome === 'failed' || outcome === 'denied' || fields.access === 'none') return null;
  const writes = fields.access !== 'read' || fields.creates === true || fields.truncates === true;
  return fileNeed(fields.path, writes ? 'write' : 'read');
}

function hostNeed({ fields }: Event): Need | null {
  const asked = fields.asked as
    | { readonly name?: unknown; readonly address?: unknown; readonly port?: unknown }
    | undefined;
  const host = typeof asked?.name === 'string' ? asked.name : asked?.address;
  if (typeof host !== 'string' || typeof asked?.port !== 'number' || asked.port === 53 || asked.port === 0) return null;
  return { kind: 'host', host: host.toLowerCase().replace(/\.$/, ''), port: asked.port };
}

const readers: Partial<Record<Event['kind'], (event: Event) => Need | null>> = {
  open: openNeed,
  unlink: ({ fields }) => fileNeed(fields.path, 'write'),
  rename: ({ fields }) => fileNeed(fields.to, 'write'),
  link: ({ fields }) => fileNeed(fields.to, 'write'),
  mkdir: ({ fields }) => fileNeed(fields.path, 'write'),
  chmod: ({ fields }) => fileNeed(fields.path, 'write'),
  exec: ({ fields, outcome }) => {
    const path = textOf(fields.path);
    return outcome === 'failed' || outcome === 'denied' || path === null || !path.startsWith('/')
      ? null
      : { kind: 'program', path };
  },
  'http-request': hostNeed,
  'tls-hello': hostNeed,
  connection: hostNeed,
};

export function needOf(event: Event): Need | null {
  return readers[event.kind]?.(event) ?? null;
}
