import type { ApiBindings } from "../runtime/bindings.ts";
import type { ApiApp } from "./api-env.ts";
import { type ApiDescription, builtInPaths, mountDocuments } from "./openapi.ts";

/**
 * The routes of one section, found by the path segments that belong to it. A section is imported and
 * mounted by its first request, so that a starting Worker builds no schemas it does not need.
 */
export type Section<B extends ApiBindings> = Readonly<{
  pathSegments: readonly string[];
  mount: (app: ApiApp<B>) => Promise<unknown>;
}>;

export const section = <B extends ApiBindings>(
  pathSegments: readonly string[],
  mount: Section<B>["mount"],
): Section<B> => ({ pathSegments, mount });

/** An API whose sections are separate apps, each built once, with its OpenAPI document. */
export function createSectionedApi<B extends ApiBindings>({
  description,
  sections,
  pathSegmentOf,
  newApp,
}: {
  description: ApiDescription<B>;
  sections: readonly Section<B>[];
  /** The segment of a path that names its section. */
  pathSegmentOf: (path: string) => string;
  /** Creates an app with the middleware that every request passes. */
  newApp: () => ApiApp<B>;
}) {
  const sectionBySegment = new Map(
    sections.flatMap((entry) => entry.pathSegments.map((segment) => [segment, entry] as const)),
  );
  const appBySection = new Map<Section<B>, ApiApp<B>>();
  const builtIn: ReadonlySet<string> = new Set(builtInPaths(description));
  const fallbackApp = newApp();
  mountDocuments(fallbackApp, { description, buildWholeApp });

  /** One app with all routes, from which the OpenAPI document is made. */
  async function buildWholeApp(): Promise<ApiApp<B>> {
    const app = newApp();
    for (const { mount } of sections) await mount(app);
    return app;
  }

  /** Concurrent requests build separately: a shared promise may die with the request that made it. */
  async function loadApp(path: string): Promise<ApiApp<B>> {
    const entry = builtIn.has(path) ? undefined : sectionBySegment.get(pathSegmentOf(path));
    if (!entry) return fallbackApp;
    const existing = appBySection.get(entry);
    if (existing) return existing;
    const app = newApp();
    await entry.mount(app);
    appBySection.set(entry, app);
    return app;
  }

  return {
    async fetch(request: Request, env: B, ctx: ExecutionContext): Promise<Response> {
      const app = await loadApp(new URL(request.url).pathname);
      return app.fetch(request, env, ctx);
    },
    buildWholeApp,
  };
}
