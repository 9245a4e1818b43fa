import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../..");

export type ApiName = "storefront" | "link" | "business";

const runtimeModule = `data:text/javascript,${encodeURIComponent(
  "export class DurableObject {} export class WorkerEntrypoint {} export const env = {};",
)}`;

/** Lets Node import the Workers: it has no Workers runtime, and takes no JSON without an attribute. */
function registerWorkerModules(): void {
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      specifier === "cloudflare:workers"
        ? { url: runtimeModule, shortCircuit: true }
        : nextResolve(specifier, context),
    load(url, context, nextLoad) {
      if (!url.endsWith(".json")) return nextLoad(url, context);
      const { version } = JSON.parse(
        String(nextLoad(url, { ...context, importAttributes: { type: "json" } }).source),
      );
      const source = `export const version = ${JSON.stringify(version)};`;
      return { format: "module", source, shortCircuit: true };
    },
  });
}

/** The OpenAPI documents of the three APIs, made in this process. */
export async function loadDocuments(): Promise<Record<ApiName, string>> {
  registerWorkerModules();
  const [storefront, link, business] = await Promise.all([
    loadDocument("storefront"),
    loadDocument("link"),
    loadDocument("business"),
  ]);
  return { storefront, link, business };
}

async function loadDocument(name: ApiName): Promise<string> {
  const worker = await import(pathToFileURL(join(root, `functions/${name}/worker.ts`)).href);
  return worker.default.renderDocument();
}
