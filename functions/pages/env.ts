import type { Context } from "hono";

export type PagesBindings = Readonly<{
  /** The Worker of the storefront API. */
  STOREFRONT: Readonly<{ fetch(request: Request): Response | Promise<Response> }>;
}>;

export type PageEnv = { Bindings: PagesBindings };

export type PageContext = Context<PageEnv>;
