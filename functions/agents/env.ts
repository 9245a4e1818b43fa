import type { ApiBindings } from "../runtime/bindings.ts";
import type { MessageBindings } from "../runtime/message-queue.ts";
import type { AgentSessionBinding } from "../runtime/objects/agent-session-object.ts";

/** A Worker that this one calls. */
export type Upstream = Readonly<{ fetch(request: Request): Response | Promise<Response> }>;

/** The bindings of the agents Worker, except the databases of the shards, which SHOP_SHARDS names. */
export type AgentsBindings = ApiBindings &
  MessageBindings &
  Readonly<{
    /** Carts and checkouts of agents, in the sessions of the storefront. */
    CART_SESSION: AgentSessionBinding;
    /** The business API, whose operations are the tools of merchants. */
    BUSINESS: Upstream;
  }>;
