import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ranking, type Standings } from '../ranks/ranks';
import { ApiError, asApiError, type FaultKind } from '../http/api-error';
import { answerOf, api, given } from '../http/api';
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

  function hear({ event, id, data }: EventSourceMessage): void {
    failures = 0;
    isClosing = event === 'closing';
    if (id !== undefined) lastId = id;
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
    const { leaderboard, limit, partition } = board;
    const dead = new AbortController();
    const body = await answerOf(
      api.GET('/ranks/{leaderboard}/stream', {
        params: {
          path: { leaderboard },
          query: given({ limit, partition, ranking, titles: true }),
          header: lastId === null ? {} : { 'Last-Event-ID': lastId },
        },
        headers: { Accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, dead.signal]),
        parseAs: 'stream',
      }),
    );
    if (!body) throw new ApiError('failed', 'The stream has no body.');
    if (lastId !== null) listener.heard();
    const parser = createParser({ onEvent: hear, onRetry: (ms) => (retryMs = ms) });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const watch = () => setTimeout(() => dead.abort(), silenceMs);
    let silence = watch();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done && isClosing) return;
        if (done) throw new ApiError('failed', 'The stream broke off.');
        clearTimeout(silence);
        silence = watch();
        parser.feed(value);
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
