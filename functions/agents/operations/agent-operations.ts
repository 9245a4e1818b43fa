import type { AgentOperation } from "./agent-operation.ts";

/** The tools of the protocol over MCP. Each is also an operation over REST. */
export const agentToolNames = [
  "search_catalog",
  "lookup_catalog",
  "get_product",
  "create_cart",
  "get_cart",
  "update_cart",
  "cancel_cart",
  "create_checkout",
  "get_checkout",
  "update_checkout",
  "complete_checkout",
  "cancel_checkout",
  "get_order",
] as const;
export type AgentToolName = (typeof agentToolNames)[number];

/** The operations that the Worker serves. */
export const agentOperations: Readonly<Partial<Record<AgentToolName, AgentOperation>>> = {
  search_catalog: {
    capability: "dev.ucp.shopping.catalog.search",
    isWrite: false,
    load: async () => (await import("./search-catalog.ts")).searchCatalog,
  },
  lookup_catalog: {
    capability: "dev.ucp.shopping.catalog.lookup",
    isWrite: false,
    load: async () => (await import("./lookup-catalog.ts")).lookUpCatalog,
  },
  get_product: {
    capability: "dev.ucp.shopping.catalog.lookup",
    isWrite: false,
    load: async () => (await import("./get-product.ts")).getProduct,
  },
  create_cart: {
    capability: "dev.ucp.shopping.cart",
    isWrite: true,
    load: async () => (await import("./carts.ts")).createCart,
  },
  get_cart: {
    capability: "dev.ucp.shopping.cart",
    isWrite: false,
    load: async () => (await import("./carts.ts")).getCart,
  },
  update_cart: {
    capability: "dev.ucp.shopping.cart",
    isWrite: true,
    load: async () => (await import("./carts.ts")).updateCart,
  },
  cancel_cart: {
    capability: "dev.ucp.shopping.cart",
    isWrite: true,
    load: async () => (await import("./carts.ts")).cancelCart,
  },
  create_checkout: {
    capability: "dev.ucp.shopping.checkout",
    isWrite: true,
    load: async () => (await import("./checkouts.ts")).createCheckout,
  },
  get_checkout: {
    capability: "dev.ucp.shopping.checkout",
    isWrite: false,
    load: async () => (await import("./checkouts.ts")).getCheckout,
  },
  update_checkout: {
    capability: "dev.ucp.shopping.checkout",
    isWrite: true,
    load: async () => (await import("./checkouts.ts")).updateCheckout,
  },
  complete_checkout: {
    capability: "dev.ucp.shopping.checkout",
    isWrite: true,
    load: async () => (await import("./checkouts.ts")).completeCheckout,
  },
  cancel_checkout: {
    capability: "dev.ucp.shopping.checkout",
    isWrite: true,
    load: async () => (await import("./checkouts.ts")).cancelCheckout,
  },
  get_order: {
    capability: "dev.ucp.shopping.order",
    isWrite: false,
    load: async () => (await import("./get-order.ts")).getOrder,
  },
};
