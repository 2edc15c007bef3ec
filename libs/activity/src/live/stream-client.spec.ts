import { Writable } from 'node:stream';
import { StreamClient, streamEvent, type StreamEvent } from './stream-client';

/** A client behind a full socket: what is written stays there until {@link SlowClient.takeIn}. */
class SlowClient extends Writable {
  readonly received: string[] = [];
  private taken: (() => void) | undefined;

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.received.push(bytes.toString());
    this.taken = done;
  }

  /** Takes in what was written, until nothing waits any more. */
  async takeIn(): Promise<void> {
    while (this.taken) {
      const taken = this.taken;
      this.taken = undefined;
      taken();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const eventText = ({ bytes }: StreamEvent) => bytes.toString();
const view = { limit: 10, ranking: 'ordinal', titles: false } as const;
const never = { heartbeatMs: Infinity, stalledMs: Infinity };

function connect() {
  const client = new SlowClient();
  return { client, listener: new StreamClient(client, view, 'ada', null) };
}

const standings = (n: number) => streamEvent('standings', `${n}`, `${n}`);
const standing = (n: number) => streamEvent('standing', `${n}`);

describe('a listener who takes nothing in', () => {
  it('gets the newest event of each kind then, and no other event is kept', async () => {
    const { client, listener } = connect();
    for (let n = 1; n <= 1_000; n += 1) listener.send(standings(n));
    listener.send(standing(1));
    listener.send(standing(2));
    expect(client.writableLength).toBe(eventText(standings(1)).length);
    await client.takeIn();
    expect(client.received).toEqual([eventText(standings(1)), eventText(standings(1_000)) + eventText(standing(2))]);
    expect(listener.skipped).toBe(999);

    listener.send(standings(1_001));
    await client.takeIn();
    expect(client.received.at(-1)).toBe(eventText(standings(1_001)));
  });

  it('is sent no heartbeats, and is let go when it lasts', () => {
    const { client, listener } = connect();
    listener.send(standings(1));
    listener.tend({ heartbeatMs: 0, stalledMs: Infinity });
    expect(client.writableLength).toBe(eventText(standings(1)).length);
    listener.tend(never);
    expect(client.destroyed).toBe(false);
    listener.tend({ heartbeatMs: 0, stalledMs: 0 });
    expect(client.destroyed).toBe(true);
    listener.send(standings(2));
    expect(client.received).toEqual([eventText(standings(1))]);
  });

  it('is sent a comment where nothing was said for a while', async () => {
    const { client, listener } = connect();
    listener.tend(never);
    expect(client.received).toEqual([]);
    listener.tend({ heartbeatMs: 0, stalledMs: Infinity });
    await client.takeIn();
    expect(client.received).toEqual([': alive\n\n']);
  });
});
