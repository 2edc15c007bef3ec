import type { FastifyCorsOptions } from '@fastify/cors';

/**
 * Allows requests from pages of these origins, with a token and no cookies, and lets them read the headers they need.
 */
export function corsOptions(origins: readonly string[]): FastifyCorsOptions {
  return {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Last-Event-ID'],
    exposedHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
    maxAge: 600,
    strictPreflight: false,
  };
}
