import type { CommandDefinition } from '../definition.ts';
import { analyze } from './analyze.ts';
import { approve } from './approve.ts';
import { audit } from './audit.ts';
import { box } from './box.ts';
import { build } from './build.ts';
import { config } from './config.ts';
import { cve } from './cve.ts';
import { db } from './db.ts';
import { diff } from './diff.ts';
import { doctor, setup } from './doctor.ts';
import { events } from './events.ts';
import { lab } from './lab.ts';
import { mcp } from './mcp.ts';
import { policy } from './policy/index.ts';
import { probe } from './probe.ts';
import { protect } from './protect.ts';
import { replay } from './replay.ts';
import { report } from './report.ts';
import { run } from './run.ts';
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
  run,
  protect,
  approve,
  audit,
  cve,
  lab,
  probe,
  box,
  events,
  tool,
  policy,
  mcp,
  build,
  config,
  version,
];
