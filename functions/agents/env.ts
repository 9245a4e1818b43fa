import type { ApiBindings } from "../runtime/bindings.ts";

/** A Worker that this one calls. */
export type Upstream = Readonly<{ fetch(request: Request): Response | Promise<Response> }>;

/** The bindings of the agents Worker, except the databases of the shards, which SHOP_SHARDS names. */
export type AgentsBindings = ApiBindings &
  Readonly<{
    /** The business API, whose operations are the tools of merchants. */
    BUSINESS: Upstream;
    /** The Link API, with which a buyer logs in to link an identity. */
    LINK: Upstream;
  }>;
