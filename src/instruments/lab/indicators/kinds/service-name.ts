import type { IndicatorKind } from '../kind.ts';
import { phraseReader } from '../phrase-reader.ts';

/** Read from the commands that make one; from keys of the registry by the reader of those. */
export const serviceName: IndicatorKind = {
  type: 'service_name',
  title: 'service on Windows',
  misp: { type: 'windows-service-name', category: 'Artifacts dropped' },
  readers: [
    phraseReader({
      type: 'service_name',
      pattern:
        /(?<before>\bsc(?:\.exe)?\s{1,3}(?:\\\\\S{1,64}\s{1,3})?(?:create|config|start|stop|delete|failure)\s{1,3}["']?)(?<value>(?<=["'])[^"'\n\r]{1,80}(?=["'])|[^\s"']{2,80})/gi,
      confidence: 0.8,
      isCaseless: true,
      claims: true,
    }),
    phraseReader({
      type: 'service_name',
      pattern:
        /(?<before>\bnew-service\b[^\n\r]{0,80}?-name\s{1,3}["']?)(?<value>(?<=["'])[^"'\n\r]{1,80}(?=["'])|[^\s"']{2,80})/gi,
      confidence: 0.8,
      isCaseless: true,
      claims: true,
    }),
    phraseReader({
      type: 'service_name',
      pattern:
        /(?<before>\bservice[ _-]?name["']?\s{0,2}[:=]\s{0,3}["'`]?)(?<value>(?<=["'`])[^"'`\n\r]{2,80}(?=["'`])|[^\s"'`,;<>|]{2,80})/gi,
      confidence: 0.6,
      isCaseless: true,
      claims: true,
    }),
  ],
};
