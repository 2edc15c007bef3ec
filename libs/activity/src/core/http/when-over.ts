/** As much of a response as it takes to know its end: Node's own, on whichever platform. */
export interface ClosableResponse {
  readonly destroyed: boolean;
  /** The connection, from the response's turn on; before, null. */
  readonly socket?: object | null;
  /** Calls back when it was sent to its end or given up, where its turn had come. */
  once(event: 'close', listener: () => void): unknown;
}

/** The connection on which a request came. */
export interface RequestSocket {
  readonly destroyed?: boolean;
  /** Calls back when the connection is closed. */
  once(event: 'close', listener: () => void): unknown;
}

/** What is to be told of each connection's end. */
const waiting = new WeakMap<RequestSocket, Set<() => void>>();

/**
 * Calls `over` once, when nothing more can be sent: the response is sent to its end or given up, or its connection is
 * closed. Node tells the end of a connection only to the response whose turn it is: those that wait behind it, of
 * requests that were sent without waiting for answers (pipelining), would hear of nothing.
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
