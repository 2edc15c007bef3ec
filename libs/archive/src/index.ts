export { ArchivePruning, type ExpiredPeriod, type LeaderboardRetention } from './archive-pruning';
export { archiveMigrations } from './migrations';
export { PostgresArchive } from './postgres-archive';
