import type { Hono } from "hono";
import type { NegotiatedCapabilities, Platform, Release } from "../../shared/agents/index.ts";
import type { Business } from "../../shared/businesses/index.ts";
import type { Meter } from "../../shared/database/index.ts";
import type { RequestContext, RequestVariables } from "../http/context.ts";
import type { Settings } from "../runtime/settings.ts";
import type { AgentsBindings } from "./env.ts";

/** The customer on whose behalf an agent acts, who allowed it by identity linking. */
export type LinkedBuyer = Readonly<{
  /** The business's customer. */
  customerId: string;
  /** The account of Link, with what a checkout begins with. */
  accountId: string;
  scopes: readonly string[];
  /** When they allowed it. The customer's logins that ended later end this too. */
  linkedAt: number;
}>;

/** A business as agents reach it. */
export type AgentShop = Readonly<{
  business: Business;
  /** The business's address without a slash at its end, from which all of its other URLs follow. */
  address: string;
  /** Where its hosted shop begins, without a slash at its end. */
  shopUrl: string;
}>;

/** A call of an agent: the business it is for and who makes it. The transport no longer matters. */
export type AgentCall = AgentShop &
  Readonly<{
    /** The release of the protocol that the platform's profile names. */
    release: Release;
    platform: Platform;
    /** Whether a key of the platform's profile signed the request. */
    isSigned: boolean;
    /** The capabilities that both sides have. */
    capabilities: NegotiatedCapabilities;
    buyer: LinkedBuyer | null;
    /** The Idempotency-Key of the request; null when it has none. */
    idempotencyKey: string | null;
    /** SHA-256 of the request's raw body in base 64, which tells a repeated request from another one. */
    bodyDigest: string;
    requestId: string;
    meter: Meter;
    settings: Settings;
    /** The request in which the call came, for the helpers of functions/http. */
    http: AgentContext;
  }>;

export type AgentContext = RequestContext<AgentsBindings>;

export type AgentEnv = {
  Bindings: AgentsBindings;
  Variables: RequestVariables & { shop: AgentShop };
};

/** The app of one section of the Worker. Its paths begin with `/agents/:slug`. */
export type AgentApp = Hono<AgentEnv>;

/** What an operation responds with, over any transport. */
export type AgentAnswer = Readonly<{ status: 200 | 201; body: object }>;
