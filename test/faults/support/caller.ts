import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Asked {
  readonly token?: string;
  readonly body?: object;
}

/** A connection on which requests were answered before ended without an answer to this one, or in the middle of it. */
export class CutError extends Error {
  override readonly name = 'CutError';
}

/** A client with one connection, kept as long as the server allows. */
export class Caller {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly url: string) {}

  /**
   * Asks once.
   * @returns null where no connection was accepted: nothing was asked of the app.
   * @throws CutError where one was, and the answer is missing or not whole.
   */
  ask(method: string, path: string, { token, body }: Asked = {}): Promise<Answer | null> {
    return new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const headers = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      const asking = request(this.url + path, { method, agent: this.agent, headers });
      asking.on('error', (error) => {
        if (asking.reusedSocket) reject(new CutError(`${method} ${path}: no answer`, { cause: error }));
        else resolve(null);
      });
      asking.on('response', (response) => {
        const { statusCode: status = 0, headers } = response;
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (body += part));
        response.on('end', () => resolve({ status, headers, body }));
        response.on('error', (error) => {
          reject(new CutError(`${method} ${path}: ${status}, then nothing`, { cause: error }));
        });
      });
      asking.end(text);
    });
  }

  leave(): void {
    this.agent.destroy();
  }
}
