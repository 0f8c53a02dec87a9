/**
 * The payload of a DNS name: its labels put together, without the zone it is asked of. Names asked one after the other
 * of one zone belong into one stream, so that what is split over them is whole again.
 */
export function joinLabels(name: string, zoneLabels = 2): Buffer {
  const labels = name.replace(/\.$/, '').split('.');
  return Buffer.from(labels.slice(0, Math.max(0, labels.length - zoneLabels)).join(''), 'latin1');
}
