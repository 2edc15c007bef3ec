import { ranking, type Standings } from '../ranks/ranks';
import { ApiError, asApiError, type FaultKind } from '../http/api-error';
import { send, withQuery } from '../http/ask';
import { pathOf } from '../http/path-of';
import { EventStreamParser, type ServerEvent } from './event-stream';
import type { BoardListener, Overtaken, OwnPlace, Stop } from './watch';
import { whileLookedAt } from './while-looked-at';

/** Which board is listened to: always its current period. */
export interface StreamedBoard {
  readonly leaderboard: string;
  readonly partition?: string | undefined;
  readonly limit: number;
}

/** No stream is available: the server has none, too many are open, or a proxy blocks it. */
const refusals: ReadonlySet<FaultKind> = new Set(['notFound', 'tooMany', 'busy', 'refused']);

/** Where the server says nothing at all, not even that it is alive, the line is dead. */
const silenceMs = 40_000;
const slowestRetryMs = 10_000;

/**
 * Listens to a board's stream for as long as somebody looks, and comes again where it breaks. `refused` is called once
 * where this server has no stream to give: the caller polls then, and may come again later.
 */
export function streamBoard(board: StreamedBoard, listener: BoardListener, refused: () => void): Stop {
  let lastId: string | null = null;
  let retryMs = 2_000;
  let failures = 0;
  /** Whether the server has said that it ends the stream: one that ends without a word broke off. */
  let isClosing = false;

  function hear({ event, id, data }: ServerEvent): void {
    failures = 0;
    isClosing = event === 'closing';
    if (id !== null) lastId = id;
    const content: unknown = JSON.parse(data);
    if (event === 'standings') listener.standings(content as Standings);
    else if (event === 'standing') listener.ownPlace?.(content as OwnPlace);
    else if (event === 'overtaken') listener.overtaken?.(content as Overtaken);
    else if (event === 'away') listener.fault(new ApiError('away', ''));
  }

  const listening = whileLookedAt(async (signal) => {
    try {
      await readStream(signal);
      return retryMs;
    } catch (error) {
      if (signal.aborted) return retryMs;
      const fault = asApiError(error);
      if (refusals.has(fault.kind)) {
        stop();
        refused();
        return retryMs;
      }
      listener.fault(fault.kind === 'failed' ? new ApiError('offline', fault.message) : fault);
      const nextMs = fault.retryAfterMs ?? Math.min(500 * 2 ** failures, slowestRetryMs);
      failures += 1;
      return nextMs;
    }
  });

  async function readStream(signal: AbortSignal): Promise<void> {
    isClosing = false;
    const { limit, partition } = board;
    const path = withQuery(pathOf`/ranks/${board.leaderboard}/stream`, { limit, partition, ranking, titles: true });
    const dead = new AbortController();
    const response = await send('GET', path, {
      signal: AbortSignal.any([signal, dead.signal]),
      headers: { Accept: 'text/event-stream', ...(lastId !== null && { 'Last-Event-ID': lastId }) },
    });
    if (!response.body) throw new ApiError('failed', 'The stream has no body.');
    if (lastId !== null) listener.heard();
    const parser = new EventStreamParser((ms) => (retryMs = ms));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const watch = () => setTimeout(() => dead.abort(), silenceMs);
    let silence = watch();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done && isClosing) return;
        if (done) throw new ApiError('failed', 'The stream broke off.');
        clearTimeout(silence);
        silence = watch();
        for (const event of parser.push(value)) hear(event);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  /** The browser knows before any timer does. */
  function lost(): void {
    listening.pause();
    listener.fault(new ApiError('offline', ''));
  }

  function stop(): void {
    listening.stop();
    window.removeEventListener('offline', lost);
  }

  window.addEventListener('offline', lost);
  return stop;
}
