export { ArchivePruning, type ExpiredPeriod, type KeptFor } from './archive-pruning';
export { PostgresArchive } from './postgres-archive';
export { PostgresColdStores } from './postgres-cold-ledgers';
