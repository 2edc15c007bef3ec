import { createServer, type ServerResponse } from 'node:http';

/** The baseline of streams: Node's own server, which writes what it is sent at `/push` to all open responses. */
const open = new Set<ServerResponse>();

createServer((request, response) => {
  if (request.url === '/stream') {
    open.add(response);
    response.once('close', () => open.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: standings\ndata: {}\n\n');
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const bytes = Buffer.concat(chunks);
    for (const stream of open) stream.write(bytes);
    response.end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');

process.once('SIGTERM', () => process.exit(0));
