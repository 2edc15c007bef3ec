import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

const description = `The example community of Laurel: users write, read, praise, collect and comment on articles and
follow each other. What they do earns points, and the leaderboards of the day, week and month move.

Errors are \`application/problem+json\` (RFC 9457).`;

/** Serves the OpenAPI document at `/docs-json`, and a page to try it at `/docs`. */
export function serveDocs(app: NestFastifyApplication): void {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Laurel community')
    .setDescription(description)
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: "A user's token, or the API key." })
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, config), { jsonDocumentUrl: 'docs-json' });
}
