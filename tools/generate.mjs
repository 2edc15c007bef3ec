// `npm run generate`: everything in the repository that is made from something else in it. `--check` writes nothing and
// fails where a product is stale.
await import('./generate-scripts.mjs');
await import('./generate-tables.mjs');
await import('./bench-tables.mjs');
await import('./generate-schemas.mjs');
await import('./generate-openapi.mjs');
await import('./generate-routes.mjs');
