import { backendsPage, threatModelPart } from './backends-page.ts';
import { commandsPage } from './commands-page.ts';
import type { Page } from './page.ts';
import { schemaPage } from './schema-page.ts';
import { settingsPage } from './settings-page.ts';
import { tiersPage } from './tiers-page.ts';

export const pages: readonly Page[] = [
  schemaPage,
  commandsPage,
  backendsPage,
  settingsPage,
  tiersPage,
  threatModelPart,
];
