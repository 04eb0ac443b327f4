// The rows of the schema table: OpenAPI schemas of all types, each once, without their prose.

export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

export function schemaRows(documents: readonly OpenApiDocument[]): Readonly<Record<string, unknown>> {
  const rows: Record<string, unknown> = {};
  for (const document of documents) {
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      rows[name] = withoutProse(schema);
    }
  }
  // In every document these two list all kinds of its group: the server adds that by itself.
  for (const name of ['DeleteOptions', 'WatchEvent']) {
    delete (rows[`io.k8s.apimachinery.pkg.apis.meta.v1.${name}`] as Record<string, unknown>)[
      'x-kubernetes-group-version-kind'
    ];
  }
  return rows;
}

/** A description is text; a property that is called description is a schema. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => !(key === 'description' && typeof inner === 'string'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutProse(inner)]));
}
