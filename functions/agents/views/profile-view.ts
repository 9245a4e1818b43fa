import {
  type CapabilityName,
  capabilityNames,
  capabilityParents,
  newestRelease,
  type PublishedKey,
  type Release,
  releases,
  toPublicJwk,
} from "../../../shared/agents/index.ts";
import type { AgentShop } from "../agent-call.ts";
import { type PaymentHandler, toPaymentHandlersView } from "../payment-handlers.ts";

type ProfileParts = Readonly<{
  release: Release;
  shop: Pick<AgentShop, "address">;
  handlers: readonly PaymentHandler[];
  keys: readonly PublishedKey[];
  /** Whether the document also names the profiles of the other releases. */
  namesOthers: boolean;
}>;

const origin = "https://ucp.dev";

/** The pages and schemas of the capabilities, below the address of a release. */
const documents: Readonly<Record<CapabilityName, Readonly<{ spec: string; schema: string }>>> = {
  "dev.ucp.shopping.checkout": { spec: "shopping/checkout", schema: "shopping/checkout" },
  "dev.ucp.shopping.cart": { spec: "shopping/cart", schema: "shopping/cart" },
  "dev.ucp.shopping.catalog.search": {
    spec: "shopping/catalog/search",
    schema: "shopping/catalog_search",
  },
  "dev.ucp.shopping.catalog.lookup": {
    spec: "shopping/catalog/lookup",
    schema: "shopping/catalog_lookup",
  },
  "dev.ucp.shopping.order": { spec: "shopping/order", schema: "shopping/order" },
  "dev.ucp.shopping.fulfillment": { spec: "fulfillment", schema: "shopping/fulfillment" },
  "dev.ucp.shopping.discount": { spec: "discount", schema: "shopping/discount" },
  "dev.ucp.shopping.buyer_consent": { spec: "buyer-consent", schema: "shopping/buyer_consent" },
  "dev.ucp.common.identity_linking": {
    spec: "common/identity-linking",
    schema: "common/identity_linking",
  },
};

/** What an agent may be allowed to do for a buyer, as scopes of OAuth. */
const configs: Partial<Record<CapabilityName, object>> = {
  "dev.ucp.common.identity_linking": { scopes: { "dev.ucp.shopping.order:read": {} } },
};

/** The profile of a business in a release. Both names of its keys are served in both releases. */
export function toProfileView({ release, shop, handlers, keys, namesOthers }: ProfileParts) {
  const publicKeys = keys.map(toPublicJwk);
  const { address } = shop;
  const service = (transport: "rest" | "mcp", endpoint: string, schema: string) => ({
    version: release,
    spec: `${origin}/${release}/specification/overview`,
    transport,
    endpoint,
    schema: `${origin}/${release}/services/shopping/${schema}`,
  });
  return {
    ucp: {
      version: release,
      ...(namesOthers && {
        supported_versions: Object.fromEntries(
          releases
            .filter((other) => other !== newestRelease)
            .map((other) => [other, `${address}/.well-known/ucp/${other}`]),
        ),
      }),
      services: {
        "dev.ucp.shopping": [
          service("rest", `${address}/ucp`, "rest.openapi.json"),
          service("mcp", `${address}/ucp/mcp`, "mcp.openrpc.json"),
        ],
      },
      capabilities: Object.fromEntries(
        capabilityNames.map((name) => [name, [toCapability(name, release)]]),
      ),
      payment_handlers: toPaymentHandlersView(handlers),
    },
    keys: publicKeys,
    signing_keys: publicKeys,
  };
}

function toCapability(name: CapabilityName, release: Release) {
  const { spec, schema } = documents[name];
  const parents: readonly string[] = capabilityParents[name];
  // The older release has its pages without the folders of the newer one.
  const page = release === "2026-04-08" ? spec.replace(/^(?:shopping|common)\//, "") : spec;
  const config = configs[name];
  return {
    version: release,
    spec: `${origin}/${release}/specification/${page}`,
    schema: `${origin}/${release}/schemas/${schema}.json`,
    ...(parents.length === 1 && { extends: parents[0] }),
    ...(parents.length > 1 && { extends: parents }),
    ...(config && { config }),
  };
}
