import { performance } from 'node:perf_hooks';
import type { FirstPageView } from '../ranks/first-pages';
import { commentText, eventText, type StreamEvent } from './event-text';

/** As much of a response as a stream needs: Node's own, on whichever platform. */
export interface StreamResponse {
  /** False: what is written waits, until `drain`. */
  write(text: string): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: 'drain' | 'close' | 'error', listener: () => void): unknown;
  readonly destroyed: boolean;
}

/** Who listens, to what. */
export interface ListenerOptions {
  readonly view: FirstPageView;
  /** Who is signed in; null: nobody. */
  readonly userId: string | null;
  /** The last event that the client has, as it says. */
  readonly lastEventId: string | null;
}

/**
 * One open stream. While the client takes nothing in, of each kind of event only the newest waits for him: what is kept
 * for a slow listener does not grow.
 */
export class Listener {
  readonly view: FirstPageView;
  readonly userId: string | null;
  /** The id of the standings that the client has, or will have when what waits is written. */
  standingsId: string | null;
  /** How many events were replaced by newer ones of their kind before they could be sent. */
  skipped = 0;
  private readonly waiting = new Map<StreamEvent['event'], string>();
  private blockedAtMs: number | null = null;
  private lastWriteMs = performance.now();

  constructor(
    private readonly response: StreamResponse,
    { view, userId, lastEventId }: ListenerOptions,
  ) {
    this.view = view;
    this.userId = userId;
    this.standingsId = lastEventId;
    response.on('drain', () => this.resume());
  }

  /** Sends an event, or keeps it until the client takes it in. */
  send(event: StreamEvent): void {
    this.put(event.event, eventText(event));
  }

  /** As {@link send}, of text that many are sent. */
  put(kind: StreamEvent['event'], text: string): void {
    if (this.blockedAtMs === null) return this.write(text);
    if (this.waiting.delete(kind)) this.skipped += 1;
    this.waiting.set(kind, text);
  }

  /** Writes a comment where nothing was written for `heartbeatMs`; gives up a client that takes nothing in for `stalledMs`. */
  tend({ heartbeatMs, stalledMs }: { readonly heartbeatMs: number; readonly stalledMs: number }): void {
    const nowMs = performance.now();
    if (this.blockedAtMs !== null) {
      if (nowMs - this.blockedAtMs >= stalledMs) this.response.destroy();
    } else if (nowMs - this.lastWriteMs >= heartbeatMs) {
      this.write(commentText('alive'));
    }
  }

  /** Says that it was the last and ends the stream. */
  close(): void {
    this.send({ event: 'closing', data: '{}' });
    this.response.end();
  }

  /** Ends the stream at once, whatever waits. */
  destroy(): void {
    this.response.destroy();
  }

  private write(text: string): void {
    if (this.response.destroyed) return;
    this.lastWriteMs = performance.now();
    if (!this.response.write(text)) this.blockedAtMs ??= this.lastWriteMs;
  }

  private resume(): void {
    this.blockedAtMs = null;
    const texts = [...this.waiting.values()].join('');
    this.waiting.clear();
    if (texts !== '') this.write(texts);
  }
}
