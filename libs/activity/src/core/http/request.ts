/** The common part of Fastify's and Express' requests. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** The URL as it came, where a router has cut `url`. */
  readonly originalUrl?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
