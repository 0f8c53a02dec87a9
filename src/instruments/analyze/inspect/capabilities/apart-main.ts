import { text } from 'node:stream/consumers';
import type { Inspected } from '../contract.ts';
import { inspectCapabilities } from './index.ts';

/** The process that does the work: one target in, one result out. */
const inspected: Inspected = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(inspectCapabilities(inspected)));
