/**
 * A MariaDB of one's own, without the other servers.
 * @module @laurel/servers/mariadb
 */
export { findOrInstallMariaDb } from './find-mariadb';
export { type MariaDbServer, startMariaDb } from './mariadb-server';
