import type { resolveOptions } from './resolve-options';

export type { LeaderboardSettings, RollingSettings } from './leaderboard-schema';

/** The module's options with every default filled in, checked and frozen: what everything inside is given. */
export type ActivitySettings = ReturnType<typeof resolveOptions>;

/** Injects the {@link ActivitySettings}. */
export const ACTIVITY_SETTINGS = Symbol('ACTIVITY_SETTINGS');
