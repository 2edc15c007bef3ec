/** The part of Node's response that shows its end, on either platform. */
export interface ClosableResponse {
  readonly destroyed: boolean;
  /** The connection; null before it is the response's turn. */
  readonly socket?: object | null;
  /** Calls back when the response was sent or aborted, after its turn had come. */
  once(event: 'close', listener: () => void): unknown;
}

/** The connection on which a request came. */
export interface RequestSocket {
  readonly destroyed?: boolean;
  /** Calls back when the connection is closed. */
  once(event: 'close', listener: () => void): unknown;
}

/** The callbacks for each connection's end. */
const waiting = new WeakMap<RequestSocket, Set<() => void>>();

/**
 * Calls `over` once, when nothing more can be sent: the response was sent or aborted, or its connection closed. If
 * requests are pipelined, Node reports the end of a connection only to the response whose turn it is, not to those that
 * wait behind it.
 */
export function whenOver(response: ClosableResponse, socket: RequestSocket, over: () => void): void {
  if (response.destroyed || socket.destroyed) return over();
  if (response.socket) return void response.once('close', over);
  const enders = endersOf(socket);
  const end = () => {
    if (enders.delete(end)) over();
  };
  enders.add(end);
  response.once('close', end);
}

/** One listener for each connection, however many requests come on it. */
function endersOf(socket: RequestSocket): Set<() => void> {
  const known = waiting.get(socket);
  if (known) return known;
  const enders = new Set<() => void>();
  waiting.set(socket, enders);
  socket.once('close', () => enders.forEach((end) => end()));
  return enders;
}
