/**
 * As much as is used of a pool of `mysql2/promise`, whose declarations an app on PostgreSQL does not have.
 */
export interface MySqlPool extends MySqlQueries {
  getConnection(): Promise<MySqlConnection>;
}

/** Runs a query: gives its rows, or what it changed, and more. */
export interface MySqlQueries {
  query(text: string, values?: unknown[]): Promise<[unknown, unknown]>;
}

export interface MySqlConnection extends MySqlQueries {
  release(): void;
  destroy(): void;
}
