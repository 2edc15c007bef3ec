import { connect, type Socket } from 'node:net';

/** So many connect at once: more would overrun the server's queue of connections. */
const atOnce = 200;

/** A text that each event of standings has once. */
const mark = 'event: standings';

/** Open streams of one server, which count the events that came to all of them together. */
export class Listeners {
  private readonly sockets: Socket[] = [];
  private count = 0;
  private wanted = Infinity;
  private onWanted: (() => void) | undefined;

  /** Opens so many, each of which has heard its first event. */
  static async open(url: string, listeners: number): Promise<Listeners> {
    const all = new Listeners();
    while (all.size < listeners) {
      const some = Math.min(atOnce, listeners - all.size);
      await all.hear(some, () => {
        for (let i = 0; i < some; i += 1) all.connect(new URL(url));
      });
    }
    return all;
  }

  get size(): number {
    return this.sockets.length;
  }

  /** Resolves when so many more events have come than before `cause` was called. */
  async hear(events: number, cause: () => unknown): Promise<void> {
    this.wanted = this.count + events;
    const heard = new Promise<void>((resolve) => (this.onWanted = resolve));
    await cause();
    this.tell();
    await heard;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private connect({ hostname, port, pathname }: URL): void {
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    let rest = '';
    socket.on('data', (text: string) => {
      const seen = rest + text;
      this.count += seen.split(mark).length - 1;
      // The mark may come in two pieces.
      rest = seen.slice(1 - mark.length);
      this.tell();
    });
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    this.sockets.push(socket);
  }

  private tell(): void {
    if (this.count >= this.wanted) this.onWanted?.();
  }
}
