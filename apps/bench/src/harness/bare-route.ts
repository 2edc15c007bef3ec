import fastify from 'fastify';

/** The baseline of routes: Fastify alone, which parses a body of JSON and answers with the same bytes from memory. */
async function main(): Promise<void> {
  const body = Buffer.from(process.env.BENCH_BODY ?? '', 'base64');
  const app = fastify();
  app.route({
    method: ['GET', 'POST'],
    url: '/',
    handler: (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(body),
  });
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
}

process.once('SIGTERM', () => process.exit(0));
void main();
