/** A step of the archive's tables, as statements without parameters. */
export interface ArchiveMigration {
  /** Stays the same for ever. */
  readonly name: string;
  readonly up: string;
}
