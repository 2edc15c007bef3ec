/**
 * The imports of an app's `laurel.config.ts`. The commands themselves are the program `laurel`.
 * @module @laurel/cli
 */
export { defineConfig, type LaurelConfig, type LaurelConfigExport } from './config/laurel-config';
