import { headerOf, headersOf, quoteText } from '../client/index.ts';
import type { AuditAnswer } from '../contract.ts';

/** What a server runs on, as far as its answer gives that away. A signature names one place; the first group is a version. */

interface Signature {
  readonly name: string;
  readonly header?: readonly [name: string, pattern: RegExp];
  readonly cookie?: RegExp;
  readonly body?: RegExp;
}

const any = /(?:)/;

export const signatures: readonly Signature[] = [
  // Servers.
  { name: 'nginx', header: ['server', /^nginx(?:\/([\d.]{1,20}))?/i] },
  { name: 'OpenResty', header: ['server', /^openresty(?:\/([\d.]{1,20}))?/i] },
  { name: 'Apache', header: ['server', /^Apache(?:\/([\d.]{1,20}))?(?: |$)/i] },
  { name: 'Apache Tomcat', header: ['server', /^Apache-Coyote(?:\/([\d.]{1,20}))?/i] },
  { name: 'IIS', header: ['server', /^Microsoft-IIS(?:\/([\d.]{1,20}))?/i] },
  { name: 'Kestrel', header: ['server', /^Kestrel/i] },
  { name: 'Caddy', header: ['server', /^Caddy/i] },
  { name: 'LiteSpeed', header: ['server', /^LiteSpeed/i] },
  { name: 'lighttpd', header: ['server', /^lighttpd(?:\/([\d.]{1,20}))?/i] },
  { name: 'Jetty', header: ['server', /^Jetty\(?([\d.]{1,20})?/i] },
  { name: 'WildFly', header: ['server', /^WildFly/i] },
  { name: 'gunicorn', header: ['server', /^gunicorn(?:\/([\d.]{1,20}))?/i] },
  { name: 'uvicorn', header: ['server', /^uvicorn/i] },
  { name: 'Hypercorn', header: ['server', /^hypercorn/i] },
  { name: 'Werkzeug', header: ['server', /^Werkzeug(?:\/([\d.]{1,20}))?/i] },
  { name: 'Python http.server', header: ['server', /^SimpleHTTP(?:\/([\d.]{1,20}))?/i] },
  { name: 'aiohttp', header: ['server', /aiohttp(?:\/([\d.]{1,20}))?/i] },
  { name: 'Tornado', header: ['server', /^TornadoServer(?:\/([\d.]{1,20}))?/i] },
  { name: 'Cowboy', header: ['server', /^Cowboy/i] },
  { name: 'Puma', header: ['server', /^puma(?: ([\d.]{1,20}))?/i] },
  { name: 'Phusion Passenger', header: ['server', /Phusion Passenger(?: ([\d.]{1,20}))?/i] },
  { name: 'Google Frontend', header: ['server', /^(?:Google Frontend|gws|ESF)/i] },
  // What languages and frameworks say of themselves.
  { name: 'PHP', header: ['x-powered-by', /^PHP(?:\/([\d.]{1,20}))?/i] },
  { name: 'PHP', header: ['server', /PHP\/([\d.]{1,20})/i] },
  { name: 'PHP', cookie: /^PHPSESSID$/ },
  { name: 'OpenSSL', header: ['server', /OpenSSL\/([\w.]{1,20})/i] },
  { name: 'Python', header: ['server', /Python\/([\d.]{1,20})/i] },
  { name: 'Express', header: ['x-powered-by', /^Express/i] },
  { name: 'Express session', cookie: /^connect\.sid$/ },
  { name: 'Next.js', header: ['x-powered-by', /^Next\.js(?: ([\d.]{1,20}))?/i] },
  { name: 'Next.js', body: /<script id="__NEXT_DATA__"/ },
  { name: 'Nuxt', body: /window\.__NUXT__|<div id="__nuxt"/ },
  { name: 'ASP.NET', header: ['x-powered-by', /^ASP\.NET/i] },
  { name: 'ASP.NET', header: ['x-aspnet-version', /^([\d.]{1,20})/] },
  { name: 'ASP.NET MVC', header: ['x-aspnetmvc-version', /^([\d.]{1,20})/] },
  { name: 'ASP.NET', cookie: /^(?:ASP\.NET_SessionId|\.ASPXAUTH)$/ },
  { name: 'ASP.NET Core', cookie: /^\.AspNetCore\./ },
  { name: 'Java servlets', cookie: /^JSESSIONID$/ },
  { name: 'Java servlets', header: ['x-powered-by', /^(?:Servlet|JSP)(?:\/([\d.]{1,20}))?/i] },
  { name: 'Spring', header: ['x-application-context', any] },
  {
    name: 'Spring Boot',
    body: /Whitelabel Error Page|"timestamp":"?[\w:.+-]{1,40}"?,"status":\d{3},"error":"[^"]{1,60}"/,
  },
  { name: 'Django', cookie: /^(?:csrftoken|django_language)$/ },
  {
    name: 'Django',
    body: /csrfmiddlewaretoken|<title>Page not found at \/|You're seeing this error because you have <code>DEBUG/,
  },
  { name: 'Django REST framework', body: /<title>[^<]{0,120}Django REST framework/ },
  { name: 'FastAPI', body: /^\{"detail":"Not Found"\}$|"loc":\["(?:body|query|path)"/ },
  { name: 'Flask session', cookie: /^session$/, header: ['server', /^(?:Werkzeug|gunicorn)/i] },
  { name: 'Ruby on Rails', header: ['x-runtime', /^\d{1,6}\.\d{1,10}$/] },
  { name: 'Ruby on Rails', body: /<meta name="csrf-param" content="authenticity_token"/ },
  { name: 'Laravel', cookie: /^(?:laravel_session|XSRF-TOKEN)$/ },
  { name: 'Symfony', header: ['x-debug-token', any] },
  { name: 'WordPress', body: /\/wp-(?:content|includes)\// },
  { name: 'Drupal', header: ['x-generator', /^Drupal(?: ([\d.]{1,20}))?/i] },
  // What stands in front.
  { name: 'Kong', header: ['via', /\bkong\/([\d.]{1,20})/i] },
  { name: 'Kong', header: ['x-kong-upstream-latency', any] },
  { name: 'Envoy', header: ['server', /^(?:envoy|istio-envoy)/i] },
  { name: 'Envoy', header: ['x-envoy-upstream-service-time', any] },
  { name: 'Traefik', body: /^404 page not found\n?$/ },
  { name: 'Varnish', header: ['x-varnish', any] },
  { name: 'Squid', header: ['via', /\(squid(?:\/([\d.]{1,20}))?\)/i] },
  { name: 'HAProxy', cookie: /^SERVERID$/ },
  { name: 'Cloudflare', header: ['cf-ray', any] },
  { name: 'AWS load balancer', header: ['server', /^awselb(?:\/([\d.]{1,20}))?/i] },
  { name: 'AWS load balancer', cookie: /^AWSALB(?:CORS|APP-\d)?$/ },
  { name: 'AWS API Gateway', header: ['x-amzn-requestid', any] },
  { name: 'AWS CloudFront', header: ['x-amz-cf-id', any] },
  { name: 'AWS S3', header: ['server', /^AmazonS3/i] },
  { name: 'Akamai', header: ['server', /^AkamaiGHost/i] },
  { name: 'Fastly', header: ['x-served-by', /^cache-/i] },
  { name: 'Vercel', header: ['x-vercel-id', any] },
  { name: 'Netlify', header: ['x-nf-request-id', any] },
  { name: 'Azure', header: ['x-azure-ref', any] },
  // Interfaces that describe themselves.
  { name: 'Swagger UI', body: /swagger-ui(?:-bundle|-standalone-preset)?\.(?:js|css)|<div id="swagger-ui"/ },
  { name: 'ReDoc', body: /<redoc\b|redoc\.standalone\.js/ },
  { name: 'OpenAPI document', body: /^\s{0,20}\{\s{0,20}"(?:openapi|swagger)"\s{0,5}:\s{0,5}"([\d.]{1,20})"/ },
  { name: 'GraphiQL', body: /graphiql(?:\.min)?\.(?:js|css)|<title>GraphiQL/i },
  { name: 'GraphQL Playground', body: /graphql-playground|<title>GraphQL Playground/i },
  { name: 'Apollo Server', body: /embeddable-sandbox\.cdn\.apollographql|<title>Apollo Server/ },
  { name: 'MCP server', header: ['mcp-session-id', any] },
  { name: 'Grafana', body: /<title>Grafana<\/title>/ },
  { name: 'Kibana', header: ['kbn-name', any] },
  { name: 'Jenkins', header: ['x-jenkins', /^([\d.]{1,20})/] },
  { name: 'GitLab', cookie: /^_gitlab_session$/ },
  { name: 'Prometheus metrics', body: /^# HELP \w{1,100} / },
];

export interface Technology {
  readonly name: string;
  readonly version: string | null;
  /** Where it shows. */
  readonly by: string;
}

const headBytes = 64 * 1024;

export function cookieNames(answer: Pick<AuditAnswer, 'headers'>): readonly string[] {
  return headersOf(answer, 'set-cookie').map((value) => value.split('=', 1)[0]?.trim() ?? '');
}

interface Seen {
  readonly answer: Pick<AuditAnswer, 'headers'>;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** Every place that a signature names has to fit. */
function match({ header, cookie, body }: Signature, seen: Seen): { version: string | null; by: string } | null {
  let version: string | null = null;
  const by: string[] = [];
  if (header !== undefined) {
    const found = header[1].exec(headerOf(seen.answer, header[0])?.slice(0, 500) ?? '\0');
    if (found === null || headerOf(seen.answer, header[0]) === undefined) return null;
    version = found[1] ?? null;
    by.push(`header ${header[0]}`);
  }
  if (cookie !== undefined) {
    const name = seen.cookies.find((each) => cookie.test(each));
    if (name === undefined) return null;
    by.push(`cookie ${quoteText(name, 40)}`);
  }
  if (body !== undefined) {
    const found = body.exec(seen.body);
    if (found === null) return null;
    version ??= found[1] ?? null;
    by.push('body');
  }
  return { version, by: by.join(', ') };
}

export function findTechnologies(answer: Pick<AuditAnswer, 'headers' | 'body'>): readonly Technology[] {
  const seen: Seen = {
    answer,
    cookies: cookieNames(answer),
    body: answer.body.subarray(0, headBytes).toString('latin1'),
  };
  const found = new Map<string, Technology>();
  for (const signature of signatures) {
    const matched = match(signature, seen);
    const known = found.get(signature.name);
    if (matched !== null && (known === undefined || known.version === null)) {
      found.set(signature.name, {
        name: signature.name,
        version: matched.version ?? known?.version ?? null,
        by: known?.by ?? matched.by,
      });
    }
  }
  return [...found.values()];
}
