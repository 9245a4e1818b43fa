import type { SurfaceApp, SurfaceBindings } from "./api-env.ts";
import { type About, documents, ownPaths } from "./openapi.ts";

/**
 * Rows of a surface, and the words of the path by which they are known. They are imported and put
 * on an app when they are first asked for: a Worker that starts builds the schemas of no other rows.
 */
export type Section<B extends SurfaceBindings> = Readonly<{
  words: readonly string[];
  mount: (app: SurfaceApp<B>) => Promise<unknown>;
}>;

/** The section of such words. */
export const section = <B extends SurfaceBindings>(
  words: readonly string[],
  mount: Section<B>["mount"],
): Section<B> => ({ words, mount });

/** A surface whose sections are apps of their own, each built once, and which describes itself. */
export function inSections<B extends SurfaceBindings>({
  about,
  sections,
  wordOf,
  newApp,
}: {
  about: About<B>;
  sections: readonly Section<B>[];
  wordOf: (path: string) => string;
  /** An app with everything that happens before a row and after it. */
  newApp: () => SurfaceApp<B>;
}) {
  const known = new Map(sections.flatMap((one) => one.words.map((word) => [word, one] as const)));
  const built = new Map<Section<B>, SurfaceApp<B>>();
  const own: ReadonlySet<string> = new Set(ownPaths(about));
  const rest = newApp();
  documents(rest, { about, whole });

  /** One app with all rows, for whoever reads what they say. */
  async function whole(): Promise<SurfaceApp<B>> {
    const app = newApp();
    for (const { mount } of sections) await mount(app);
    return app;
  }

  /** Of requests at once each builds for itself: a promise of another may die with that request. */
  async function appOf(path: string): Promise<SurfaceApp<B>> {
    const wanted = own.has(path) ? undefined : known.get(wordOf(path));
    if (!wanted) return rest;
    const before = built.get(wanted);
    if (before) return before;
    const app = newApp();
    await wanted.mount(app);
    built.set(wanted, app);
    return app;
  }

  return {
    async fetch(request: Request, env: B, ctx: ExecutionContext): Promise<Response> {
      const app = await appOf(new URL(request.url).pathname);
      return app.fetch(request, env, ctx);
    },
    whole,
  };
}
