import type { ApiBindings } from "../../runtime/bindings.ts";
import { version } from "../../runtime/version.ts";
import type { ApiApp } from "../context.ts";
import type { DocumentDescription } from "./create-document.ts";

/** Where an API is, and how to load the description of its OpenAPI document. */
export type ApiDescription<B extends ApiBindings> = Readonly<{
  prefix: string;
  loadDescription: () => Promise<DocumentDescription<B>>;
}>;

/** The paths that every API serves itself, without a section of routes. */
export const builtInPaths = ({ prefix }: { prefix: string }) =>
  ["/healthz", `${prefix}/healthz`, `${prefix}/openapi.json`] as const;

/**
 * Adds `/healthz` and the OpenAPI 3.1 document. The first request renders the document; later ones
 * get the cached text.
 */
export function mountDocuments<B extends ApiBindings>(
  app: ApiApp<B>,
  {
    description,
    buildWholeApp,
  }: { description: ApiDescription<B>; buildWholeApp: () => Promise<ApiApp<B>> },
): void {
  const [health, apiHealth, documentPath] = builtInPaths(description);
  app.get(health, (c) => c.json({ status: "ok", version }));
  app.get(apiHealth, (c) => c.json({ status: "ok", version }));

  let document: string | null = null;
  app.get(documentPath, async (c) => {
    document ??= await renderDocument(description, buildWholeApp);
    return c.body(document, 200, {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=300",
    });
  });
}

/** Renders the OpenAPI document. Loads what that takes with the first call. */
export async function renderDocument<B extends ApiBindings>(
  { loadDescription }: ApiDescription<B>,
  buildWholeApp: () => Promise<ApiApp<B>>,
): Promise<string> {
  const { createDocument } = await import("./create-document.ts");
  const description = await loadDescription();
  const app = await buildWholeApp();
  await description.complete?.(app);
  return JSON.stringify(createDocument(app, description));
}
