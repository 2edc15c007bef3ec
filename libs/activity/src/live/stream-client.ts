import { performance } from 'node:perf_hooks';
import type { FirstPageView } from '../ranks/first-pages';
import { commentText, eventText, type StreamEvent } from './event-text';

/** As much of a response as a stream needs: Node's own, on whichever platform. */
export interface StreamResponse {
  /** False: what is written waits, until `drain`. */
  write(text: string): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: 'drain' | 'close' | 'error', client: () => void): unknown;
  readonly destroyed: boolean;
}

/** What a client follows. */
export interface StreamClientOptions {
  readonly view: FirstPageView;
  /** The signed-in user; null: nobody. */
  readonly userId: string | null;
  /** The last event that the client has, by its own account. */
  readonly lastEventId: string | null;
}

/**
 * One open stream. While a client takes nothing in, only the newest event of each kind waits for it: memory for a slow
 * client is bounded.
 */
export class StreamClient {
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
    { view, userId, lastEventId }: StreamClientOptions,
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

  /** Writes a comment after `heartbeatMs` of silence; closes a client that took nothing in for `stalledMs`. */
  tend({ heartbeatMs, stalledMs }: { readonly heartbeatMs: number; readonly stalledMs: number }): void {
    const nowMs = performance.now();
    if (this.blockedAtMs !== null) {
      if (nowMs - this.blockedAtMs >= stalledMs) this.response.destroy();
    } else if (nowMs - this.lastWriteMs >= heartbeatMs) {
      this.write(commentText('alive'));
    }
  }

  /** Sends `closing` and ends the stream. */
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
