import { backendsPage, threatModelPart } from './backends-page.ts';
import { commandsPage } from './commands-page.ts';
import { labPage } from './lab-page.ts';
import type { Page } from './page.ts';
import { planPage } from './plan-page.ts';
import { rulesPage } from './rules-page.ts';
import { schemaPages } from './schema-page.ts';
import { sensorsPage } from './sensors-page.ts';
import { settingsPage } from './settings-page.ts';
import { tiersPage } from './tiers-page.ts';
import { toolsPage } from './tools-page.ts';

export const pages: readonly Page[] = [
  ...schemaPages,
  commandsPage,
  backendsPage,
  sensorsPage,
  rulesPage,
  settingsPage,
  tiersPage,
  toolsPage,
  labPage,
  threatModelPart,
  planPage,
];
