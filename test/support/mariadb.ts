import { spawnSync } from 'node:child_process';

const path = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`;

/** Whether suites can start a MariaDB; `npm test` installs it before, where it may. */
export const hasMariaDb = spawnSync('mariadbd', ['--version'], { env: { PATH: path } }).status === 0;

/** What the names of tests end in that need one. */
export const unlessMariaDb = hasMariaDb ? '' : ' (skipped: no MariaDB on this machine: mariadb-server-core)';
