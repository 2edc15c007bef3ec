/** Why standings could not be had: `away` (the server answers, Redis does not) or `offline` (nobody answers). */
export class StandingsError extends Error {
  constructor(kind, retryAfterMs) {
    super(kind);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** How long an answer may take. */
const timeoutMs = 5_000;

/** A page of standings from the top, with titles. */
export async function fetchStandings(board, limit, signal) {
  const response = await get(`/ranks/${encodeURIComponent(board)}?limit=${limit}&titles=true`, signal);
  return response.json();
}

/** What each action is worth. */
export async function fetchPoints(signal) {
  const response = await get('/points', signal);
  return (await response.json()).actions;
}

async function get(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new StandingsError('offline', undefined);
  }
  if (response.ok) return response;
  const seconds = Number(response.headers.get('Retry-After'));
  throw new StandingsError(response.status === 503 ? 'away' : 'failed', seconds > 0 ? seconds * 1_000 : undefined);
}
