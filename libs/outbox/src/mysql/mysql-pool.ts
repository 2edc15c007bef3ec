/** The part of a `mysql2/promise` pool that is used; an app on PostgreSQL does not have its declarations. */
export interface MySqlPool extends MySqlQueries {
  getConnection(): Promise<MySqlConnection>;
}

/** Runs a query: returns its rows or the numbers of changes, and more. */
export interface MySqlQueries {
  query(text: string, values?: unknown[]): Promise<[unknown, unknown]>;
}

export interface MySqlConnection extends MySqlQueries {
  release(): void;
  destroy(): void;
}
