import type { Site } from '../site.ts';
import { dnsOverHttpsSite } from './dns-over-https.ts';
import { metadataSite } from './metadata.ts';
import { npmSite } from './npm.ts';
import { plainSite } from './plain.ts';
import { pypiSite } from './pypi.ts';
import { scriptedSite } from './scripted.ts';

/** In the order in which they are asked; the last one answers everything. */
export const sites: readonly Site[] = [scriptedSite, metadataSite, npmSite, pypiSite, dnsOverHttpsSite, plainSite];
