/**
 * Every Nest module: activities in, points on leaderboards, ranks out. Begin with {@link ActivityModule}. An app that
 * needs few of them starts sooner if it imports them from `@laurel/activity/core`, `@laurel/activity/settlement`, ….
 * @module @laurel/activity
 */
export * from './account';
export * from './admin';
export * from './core';
export * from './live';
export * from './live-rules';
export * from './moderation';
export * from './settlement';
export * from './titles';
