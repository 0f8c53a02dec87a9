import type { Library } from '../engine/program.ts';
import { callMethod, isMethod } from './methods.ts';
import { findModel } from './models.ts';

/** What JavaScript and its packages are known to do. */
export const javaScriptLibrary: Library = { findModel, isMethod, callMethod };
