export { ArchivePruning, type ExpiredPeriod, type KeptFor } from './archive-pruning';
export { archiveMigrations } from './migrations';
export { PostgresArchive } from './postgres-archive';
