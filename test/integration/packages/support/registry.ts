import { spawnSync } from 'node:child_process';

const asked = ['view', '@nestjs/cli', 'version', '--fetch-retries', '1', '--fetch-timeout', '20000'];

/** Whether npm reaches a registry: what installs from it is skipped otherwise. */
export const isOnline = spawnSync('npm', asked, { stdio: 'ignore' }).status === 0;

/** What the names of tests end in that install from the registry. */
export const unlessOnline = isOnline ? '' : ' (skipped: npm reaches no registry)';
