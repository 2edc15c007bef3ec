import type { ArchiveMigration } from './archive-migration';

/** Titles with which users were settled. */
export const titles: readonly ArchiveMigration[] = [
  {
    name: 'laurel-archive-6-titles',
    up: `-- Titles with which users were settled. They name a place and no user: an erased user leaves nothing here.
-- Versions that know of no titles go on beside this one; what they settle is not titled.
ALTER TABLE settled_periods ADD COLUMN titled boolean NOT NULL DEFAULT false;

CREATE TABLE settled_titles (
  settled_id bigint NOT NULL REFERENCES settled_periods ON DELETE CASCADE,
  place bigint NOT NULL,
  title json NOT NULL,
  PRIMARY KEY (settled_id, place)
);
`,
  },
];
