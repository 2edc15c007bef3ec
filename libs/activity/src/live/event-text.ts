/** A server-sent event. Its data is JSON, which has no line breaks. */
export interface StreamEvent {
  readonly event: 'standings' | 'standing' | 'overtaken' | 'away' | 'closing';
  readonly data: string;
  /** What a client that comes back names as the last it has. */
  readonly id?: string;
}

/** An event as it goes over the wire. */
export function eventText({ event, data, id }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** A line that clients pass over. */
export function commentText(comment: string): string {
  return `: ${comment}\n\n`;
}
