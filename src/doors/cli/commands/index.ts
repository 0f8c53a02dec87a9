import type { CommandDefinition } from '../definition.ts';
import { analyze } from './analyze.ts';
import { box } from './box.ts';
import { build } from './build.ts';
import { config } from './config.ts';
import { db } from './db.ts';
import { diff } from './diff.ts';
import { doctor, setup } from './doctor.ts';
import { events } from './events.ts';
import { mcp } from './mcp.ts';
import { policy } from './policy/index.ts';
import { replay } from './replay.ts';
import { report } from './report.ts';
import { scan } from './scan.ts';
import { tool } from './tool.ts';
import { version } from './version.ts';

/** Every command, in the order that help shows them. */
export const commands: readonly CommandDefinition[] = [
  doctor,
  setup,
  analyze,
  report,
  replay,
  diff,
  scan,
  db,
  box,
  events,
  tool,
  policy,
  mcp,
  build,
  config,
  version,
];
