import { type ColumnBaseConfig, entityKind, sql } from 'drizzle-orm';
import { type AnyPgTable, PgColumn, PgIntColumnBaseBuilder, timestamp } from 'drizzle-orm/pg-core';

interface IdConfig<Name extends string> {
  name: Name;
  dataType: 'string';
  columnType: 'Id';
  data: string;
  driverParam: string;
  enumValues: undefined;
}

class Id extends PgColumn<ColumnBaseConfig<'string', 'Id'>> {
  static override readonly [entityKind]: string = 'Id';

  getSQLType(): string {
    return 'bigint';
  }
}

class IdBuilder<Name extends string> extends PgIntColumnBaseBuilder<IdConfig<Name>> {
  static override readonly [entityKind]: string = 'IdBuilder';

  constructor(name: Name) {
    super(name, 'string', 'Id');
  }

  build(table: AnyPgTable): Id {
    return new Id(table, this.config);
  }
}

/** A row's id: a whole number to PostgreSQL, an opaque string to everyone else; drizzle's own are numbers here too. */
export const id = <Name extends string>(name: Name) => new IdBuilder(name);

/** A table's own id, which the database gives. */
export const rowId = () => id('id').primaryKey().generatedAlwaysAsIdentity();

/** A moment to the millisecond, as `Date` has it; what is finer is cut off, so that order and day stay as they were. */
export const moment = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' });

/** The database's clock now, also within a transaction that began earlier. */
export const databaseNow = sql`date_trunc('milliseconds', clock_timestamp())`;
