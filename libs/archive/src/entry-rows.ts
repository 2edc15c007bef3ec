import type { ArchivedEntry } from '@laurel/activity';

/** The bytes of a row without its user id: a count, seven lengths, six numbers of eight bytes. */
const rowBytes = 2 + 7 * 4 + 6 * 8;

/** The most bytes of UTF-8 that a text takes, for each of its units. */
const bytesAUnit = 3;

/** Opens COPY's binary format: a signature, no flags, no extension. */
const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** Entries of a period as rows of COPY's binary format, written as they come: no object outlives its call. */
export class EntryRows {
  /** The columns of a row, in its order. */
  static readonly columns = 'settled_id, place, competition, dense, user_id, score, reached_at_ms';

  /** How many there are. */
  count = 0;
  private bytes = Buffer.allocUnsafe(1 << 16);
  private end = head.copy(this.bytes);
  private first = 0;
  private last = 0;

  constructor(private readonly settledId: bigint) {}

  add({ place, competition, dense, userId, score, reachedAtMs }: ArchivedEntry): void {
    this.makeRoom(rowBytes + bytesAUnit * userId.length);
    const { bytes } = this;
    bytes.writeInt16BE(7, this.end);
    bytes.writeInt32BE(8, this.end + 2);
    bytes.writeBigInt64BE(this.settledId, this.end + 6);
    this.end += 14;
    this.addWhole(place);
    this.addWhole(competition);
    this.addWhole(dense);
    const userBytes = bytes.write(userId, this.end + 4);
    bytes.writeInt32BE(userBytes, this.end);
    bytes.writeInt32BE(8, this.end + 4 + userBytes);
    this.end = bytes.writeDoubleBE(score, this.end + 8 + userBytes);
    if (reachedAtMs === null) this.end = bytes.writeInt32BE(-1, this.end);
    else this.addWhole(reachedAtMs);
    if (this.count === 0) this.first = place;
    this.last = place;
    this.count += 1;
  }

  /** Takes the bytes for COPY, with their first and last place, and leaves none. */
  take(): { readonly bytes: Buffer; readonly first: number; readonly last: number } {
    this.makeRoom(2);
    const { first, last } = this;
    const bytes = this.bytes.subarray(0, this.bytes.writeInt16BE(-1, this.end));
    // Taken rows are on their way while others are added.
    this.bytes = Buffer.allocUnsafe(this.bytes.length);
    this.end = head.copy(this.bytes);
    this.count = 0;
    return { bytes, first, last };
  }

  private addWhole(value: number): void {
    this.bytes.writeInt32BE(8, this.end);
    this.bytes.writeInt32BE(Math.floor(value / 2 ** 32), this.end + 4);
    this.end = this.bytes.writeUInt32BE(value >>> 0, this.end + 8);
  }

  private makeRoom(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(2 * this.bytes.length + more);
    this.bytes.copy(grown, 0, 0, this.end);
    this.bytes = grown;
  }
}
