import type { ColdLedger, ColdLedgers, ColdPlace, ColdQuestion, ColdStores } from '@laurel/activity/cold';
import type { Pool } from 'pg';

const membersAPage = 1_000;

/** Cold ledgers in PostgreSQL, of all of an app's ledgers, in the table of `archiveMigrations`. */
export class PostgresColdStores implements ColdStores {
  readonly name = 'postgres';

  constructor(private readonly pool: Pool) {}

  of(ledger: string): ColdLedgers {
    return new PostgresColdLedgers(this.pool, ledger);
  }
}

/** Those of one ledger: one statement a call. */
class PostgresColdLedgers implements ColdLedgers {
  constructor(
    private readonly pool: Pool,
    private readonly ledger: string,
  ) {}

  async put(ledgers: readonly ColdLedger[]): Promise<void> {
    // In one order everywhere, so that no two wait for each other.
    const rows = ledgers.map(({ member, ...one }) => ({ ...one, member: Buffer.from(member) }));
    rows.sort((a, b) => Buffer.compare(a.member, b.member) || a.day - b.day);
    await this.pool.query(
      `INSERT INTO cold_ledgers (ledger, member, day, digests, body)
       SELECT $1, member, day, digests::int[], body
       FROM unnest($2::bytea[], $3::int[], $4::text[], $5::bytea[]) AS given (member, day, digests, body)
       ON CONFLICT (ledger, member, day) DO UPDATE SET digests = excluded.digests, body = excluded.body`,
      [
        this.ledger,
        rows.map(({ member }) => member),
        rows.map(({ day }) => day),
        // Lists of lists would have to be of one length.
        rows.map(({ digests }) => `{${digests.join()}}`),
        rows.map(({ body }) => body),
      ],
    );
  }

  async get(places: readonly ColdPlace[]): Promise<(Buffer | null)[]> {
    const { rows } = await this.pool.query<{ readonly member: Buffer; readonly day: number; readonly body: Buffer }>(
      `SELECT member, day, body FROM cold_ledgers
       WHERE ledger = $1 AND (member, day) IN (SELECT * FROM unnest($2::bytea[], $3::int[]))`,
      [this.ledger, ...columnsOf(places)],
    );
    const found = new Map(rows.map(({ member, day, body }) => [`${day}:${member.toString()}`, body]));
    return places.map(({ member, day }) => found.get(`${day}:${member}`) ?? null);
  }

  async days(questions: readonly ColdQuestion[]): Promise<number[][]> {
    const { rows } = await this.pool.query<{ readonly place: string; readonly day: number }>(
      `SELECT place, day
       FROM unnest($2::bytea[], $3::text[]) WITH ORDINALITY AS asked (member, digests, place)
       JOIN cold_ledgers AS held ON held.ledger = $1 AND held.member = asked.member
       WHERE asked.digests IS NULL OR held.digests && asked.digests::int[]`,
      [
        this.ledger,
        questions.map(({ member }) => Buffer.from(member)),
        questions.map(({ digests }) => (digests ? `{${digests.join()}}` : null)),
      ],
    );
    const days = questions.map((): number[] => []);
    for (const { place, day } of rows) days[Number(place) - 1]?.push(day);
    return days;
  }

  async *members(): AsyncIterable<readonly string[]> {
    for (let after: Buffer | undefined = Buffer.alloc(0); after;) {
      const { rows }: { rows: { readonly member: Buffer }[] } = await this.pool.query(
        'SELECT DISTINCT member FROM cold_ledgers WHERE ledger = $1 AND member > $2 ORDER BY member LIMIT $3',
        [this.ledger, after, membersAPage],
      );
      if (rows.length > 0) yield rows.map(({ member }) => member.toString());
      after = rows.at(-1)?.member;
    }
  }

  async remove(places: readonly ColdPlace[]): Promise<void> {
    await this.pool.query(
      `DELETE FROM cold_ledgers
       WHERE ledger = $1 AND (member, day) IN (SELECT * FROM unnest($2::bytea[], $3::int[]))`,
      [this.ledger, ...columnsOf(places)],
    );
  }

  /** Looks at every ledger. */
  async removeBefore(day: number): Promise<number> {
    const deleting = 'DELETE FROM cold_ledgers WHERE ledger = $1 AND day < $2';
    return (await this.pool.query(deleting, [this.ledger, day])).rowCount ?? 0;
  }

  async erase(member: string): Promise<number> {
    const deleting = 'DELETE FROM cold_ledgers WHERE ledger = $1 AND member = $2';
    return (await this.pool.query(deleting, [this.ledger, Buffer.from(member)])).rowCount ?? 0;
  }
}

function columnsOf(places: readonly ColdPlace[]): [Buffer[], number[]] {
  return [places.map(({ member }) => Buffer.from(member)), places.map(({ day }) => day)];
}
