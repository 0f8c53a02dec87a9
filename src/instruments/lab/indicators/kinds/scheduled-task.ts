import type { IndicatorKind } from '../kind.ts';
import { phraseReader } from '../phrase-reader.ts';

export const scheduledTask: IndicatorKind = {
  type: 'scheduled_task',
  title: 'scheduled task',
  misp: { type: 'windows-scheduled-task', category: 'Artifacts dropped' },
  readers: [
    phraseReader({
      type: 'scheduled_task',
      pattern:
        /(?<before>schtasks[^\n\r]{0,160}?\s[/-]tn\s{1,3}\\?["']?)(?<value>(?<=["'])[^"'\n\r]{1,128}(?=["'])|[^\s"']{1,128})/gi,
      confidence: 0.8,
      isCaseless: true,
      claims: true,
    }),
    phraseReader({
      type: 'scheduled_task',
      pattern:
        /(?<before>\bscheduledtask\b[^\n\r]{0,160}?-taskname\s{1,3}["']?)(?<value>(?<=["'])[^"'\n\r]{1,128}(?=["'])|[^\s"']{1,128})/gi,
      confidence: 0.8,
      isCaseless: true,
      claims: true,
    }),
    phraseReader({
      type: 'scheduled_task',
      pattern:
        /(?<before>\bscheduled[ _-]task(?:[ _-]?name)?["']?\s{0,2}(?:[:=]|(?:named|called)\s)\s{0,3}["'`]?)(?<value>(?<=["'`])[^"'`\n\r]{2,128}(?=["'`])|[^\s"'`,;<>|]{2,128})/gi,
      confidence: 0.7,
      isCaseless: true,
      claims: true,
    }),
  ],
};
