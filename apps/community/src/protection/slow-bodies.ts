import { type Readable, Transform, type TransformCallback } from 'node:stream';

/** A body that is being received: its bytes wait in memory for the rest. */
interface Reception {
  bytes: number;
  readonly refuse: () => void;
}

/**
 * The bodies that are being received, bounded in bytes together. Past the bound the oldest are refused: a body that is
 * sent without pauses is complete before others can push it out, however many are sent slowly.
 */
export class SlowBodies {
  private readonly receptions = new Set<Reception>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** The bytes held of bodies that are still being received. */
  get size(): number {
    return this.bytes;
  }

  /** Counts a body until its end; `refuse` is called if it must make room for others. */
  receive(body: Readable, refuse: () => void): Readable {
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) => {
        this.count(reception, chunk.length);
        done(null, chunk);
      },
    });
    const reception: Reception = {
      bytes: 0,
      refuse: () => {
        body.unpipe(counted);
        refuse();
      },
    };
    this.receptions.add(reception);
    const over = () => this.forget(reception);
    counted.once('end', over).once('close', over);
    body.once('close', () => counted.destroy());
    return body.pipe(counted);
  }

  private count(reception: Reception, bytes: number): void {
    if (!this.receptions.has(reception)) return;
    reception.bytes += bytes;
    this.bytes += bytes;
    for (const oldest of this.receptions) {
      if (this.bytes <= this.maxBytes) return;
      this.forget(oldest);
      oldest.refuse();
    }
  }

  private forget(reception: Reception): void {
    if (this.receptions.delete(reception)) this.bytes -= reception.bytes;
  }
}
