/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

/** Cuts a stream of text into server-sent events; `retry` is told the milliseconds that the server asks for. */
export class EventStreamParser {
  private rest = '';
  private event = '';
  private id: string | null = null;
  private data: string[] = [];

  constructor(private readonly onRetry: (ms: number) => void = () => undefined) {}

  /** The events that are complete with this piece of the stream. */
  push(text: string): ServerEvent[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.line(line) ?? []);
  }

  private line(line: string): ServerEvent | null {
    if (line === '') return this.dispatch();
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') this.event = value;
    else if (field === 'data') this.data.push(value);
    else if (field === 'id') this.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.onRetry(Number(value));
    return null;
  }

  private dispatch(): ServerEvent | null {
    const { event, id, data } = this;
    [this.event, this.id, this.data] = ['', null, []];
    return data.length === 0 ? null : { event: event || 'message', id, data: data.join('\n') };
  }
}
