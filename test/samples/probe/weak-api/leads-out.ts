import { json, type Route, text } from './exchange.ts';

/** Answers that lead whoever follows them out of the scope. */
export function leadRoutes(elsewhere: string): readonly Route[] {
  const redirect = (status: number, to: string) => ({ status, headers: { location: to }, body: '' });
  return [
    {
      method: 'GET',
      path: '/redirect',
      handle: ({ query }) => {
        const to = query.get('to') ?? '/';
        return redirect(302, /^[\x20-\x7e]{1,2048}$/.test(to) ? to : '/');
      },
    },
    { method: 'GET', path: '/go', handle: () => redirect(302, elsewhere) },
    { method: 'POST', path: '/go', handle: () => redirect(307, elsewhere) },
    { method: 'GET', path: '/go/permanent', handle: () => redirect(308, elsewhere) },
    { method: 'GET', path: '/loop', handle: () => redirect(302, '/loop') },
    {
      method: 'GET',
      path: '/linked',
      handle: () =>
        json(
          200,
          { next: elsewhere, callback_url: elsewhere, avatar: `${elsewhere}/avatar.png` },
          {
            link: `<${elsewhere}>; rel="next", <${elsewhere}/openapi.json>; rel="service-desc"`,
            refresh: `0; url=${elsewhere}`,
            'content-location': elsewhere,
            'alt-svc': `h2="${new URL(elsewhere).host}"; ma=60`,
            'reporting-endpoints': `default="${elsewhere}/reports"`,
          },
        ),
    },
    {
      method: 'GET',
      path: '/moved.html',
      handle: () =>
        text(
          200,
          `<html><head><meta http-equiv="refresh" content="0; url=${elsewhere}"><link rel="icon" href="${elsewhere}/favicon.ico"><script src="${elsewhere}/app.js"></script></head><body><a href="${elsewhere}">moved</a></body></html>\n`,
          'text/html',
        ),
    },
    {
      method: 'POST',
      path: '/api/v1/webhooks',
      handle: () => json(201, { id: 1, delivers_to: elsewhere }, { location: `${elsewhere}/webhooks/1` }),
    },
  ];
}
