import type { Connection, PoolClient, Submittable } from 'pg';

/** Methods of the driver's connection that its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * Writes rows by COPY, and resolves when the database has them all. It is the driver's own protocol, as its queries
 * are.
 * @param into a table and its columns, as COPY names them.
 * @param rows all of them, in COPY's binary format.
 */
export function copyRows(client: PoolClient, into: string, rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new RowsCopy(`COPY ${into} FROM STDIN (FORMAT binary)`, rows, (error) => (error ? reject(error) : resolve())),
    );
  });
}

class RowsCopy implements Submittable {
  constructor(
    private readonly text: string,
    private readonly rows: Buffer,
    /** The driver puts its own in this place, for the time that a query may take. */
    private readonly callback: (error: Error | null) => void,
  ) {}

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.rows);
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {
    // The answer ends with the next message.
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}
