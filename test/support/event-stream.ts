import { get, type IncomingMessage } from 'node:http';
import { afterThisTest } from './endings';
import { waitUntil } from './wait-until';

/** A server-sent event as it came. */
export interface ReceivedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** A stream of server-sent events, kept as they come. */
export class EventStream {
  readonly events: ReceivedEvent[] = [];
  readonly comments: string[] = [];
  /** What the server asks clients to wait before they come again. */
  retryMs: number | undefined;
  isEnded = false;
  private rest = '';

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.take(text));
    response.on('error', () => undefined);
    response.on('close', () => {
      this.isEnded = true;
    });
  }

  /** Opens one, which is closed after the test; an answer that is no stream is an error that says what it was. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers, agent: false }, resolve).on('error', reject);
    });
    const type = response.headers['content-type'] ?? '';
    if (response.statusCode !== 200 || !type.startsWith('text/event-stream')) {
      response.resume();
      throw new Error(`GET ${url} gave ${response.statusCode} ${type}`);
    }
    const stream = new EventStream(response);
    afterThisTest(() => stream.close());
    return stream;
  }

  get headers(): IncomingMessage['headers'] {
    return this.response.headers;
  }

  of<Data = unknown>(event: string): { readonly id: string | undefined; readonly data: Data }[] {
    return this.events.filter((one) => one.event === event) as { id: string | undefined; data: Data }[];
  }

  /** The first event of a kind, or of those from `from` on, when it has come. */
  async next<Data>(event: string, from = 0): Promise<{ readonly id: string | undefined; readonly data: Data }> {
    return waitUntil(() => this.of<Data>(event)[from], { what: `event ${from} of ${event}` });
  }

  /** Takes nothing in until {@link resume}. */
  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  close(): void {
    this.response.destroy();
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) this.takeBlock(block);
  }

  private takeBlock(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [name = '', ...value] = line.split(': ');
      if (name === '') this.comments.push(value.join(': '));
      else fields.set(name, value.join(': '));
    }
    const retry = fields.get('retry');
    if (retry !== undefined) this.retryMs = Number(retry);
    const data = fields.get('data');
    if (data === undefined) return;
    this.events.push({ event: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) });
  }
}
