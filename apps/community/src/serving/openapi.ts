import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

const description = `The example community of Laurel: users write, read, praise, collect and comment on articles and
follow each other. What they do earns points, and the leaderboards of the day, week and month move.

To try a route, press *Authorize* and paste a user's token, which \`POST /auth/login\` answers, or, for operators' routes,
the API key (\`LAUREL_API_KEY\`; the demo prints its own).

Errors are \`application/problem+json\` (RFC 9457).`;

/** The OpenAPI document of the app: the pages' types are generated from it (`npm run generate`). */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Laurel community')
    .setDescription(description)
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: "A user's token, or the API key." })
    .build();
  return SwaggerModule.createDocument(app, config);
}

/** Serves the OpenAPI document at `/docs-json`, and a page to try it at `/docs`. */
export function serveDocs(app: INestApplication): void {
  const page = { jsonDocumentUrl: 'docs-json', customSiteTitle: 'Laurel community: API' };
  SwaggerModule.setup('docs', app, () => openApiDocument(app), page);
}
