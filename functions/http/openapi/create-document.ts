import type { ApiBindings } from "../../runtime/bindings.ts";
import { version } from "../../runtime/version.ts";
import type { ApiApp } from "../context.ts";
import { completeOperations } from "./complete-operations.ts";
import { type OperationExamples, withExamples } from "./examples.ts";
import { registerNamedSchemas, withPlainReferences } from "./named-schemas.ts";
import { securitySchemes } from "./security-schemes.ts";
import type { TagGroup } from "./tags.ts";

/** What the OpenAPI document of an API says beyond its routes. */
export type DocumentDescription<B extends ApiBindings> = Readonly<{
  title: string;
  description: string;
  /** The sections of the reference, in the order in which it shows them. */
  tagGroups: readonly TagGroup[];
  examples: OperationExamples;
  /** Adds parts to the document that no route declares. */
  complete?: (app: ApiApp<B>) => Promise<void>;
}>;

/** The OpenAPI 3.1 document of an API with all of its routes. */
export function createDocument<B extends ApiBindings>(
  app: ApiApp<B>,
  { title, description, tagGroups, examples }: DocumentDescription<B>,
) {
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  }
  registerNamedSchemas(app.openAPIRegistry);
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title,
      version,
      description,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "/" }],
    tags: tagGroups.flatMap(({ tags }) =>
      Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    ),
    "x-tagGroups": tagGroups.map(({ name, tags }) => ({ name, tags: Object.keys(tags) })),
  });
  return completeOperations(withExamples(withPlainReferences(document), examples));
}
