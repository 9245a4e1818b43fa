import type { McpTool } from "../mcp/mcp-server.ts";
import { type AgentToolName, agentOperations } from "../operations/agent-operations.ts";
import {
  cartPayload,
  checkoutPayload,
  completionPayload,
  lookupPayload,
  newCheckoutPayload,
  productPayload,
  searchPayload,
} from "./payload-schemas.ts";

/** Where a tool's payload is in its input. */
type PayloadName = "catalog" | "cart" | "checkout";

/** How a tool of the protocol looks over MCP. */
export type AgentTool = Readonly<{
  title: string;
  description: string;
  /** Whether the input names a record beside the payload. */
  hasId: boolean;
  payload: Readonly<{ name: PayloadName; schema: object }> | null;
  /** Whether the protocol requires `meta.idempotency-key`. */
  needsIdempotencyKey: boolean;
  isRead: boolean;
  /** Whether the tool places an order, or ends what the buyer has begun. */
  isFinal: boolean;
}>;

const reading = { hasId: false, needsIdempotencyKey: false, isRead: true, isFinal: false };
const writing = { ...reading, isRead: false };
const ending = { ...writing, hasId: true, needsIdempotencyKey: true, isFinal: true };

/** The thirteen tools of the protocol, by name. */
export const agentTools: Readonly<Record<AgentToolName, AgentTool>> = {
  search_catalog: {
    ...reading,
    title: "Search the catalogue",
    description: "Finds products by words, category and price.",
    payload: { name: "catalog", schema: searchPayload },
  },
  lookup_catalog: {
    ...reading,
    title: "Look up products",
    description: "Reads products or variants by their ids.",
    payload: { name: "catalog", schema: lookupPayload },
  },
  get_product: {
    ...reading,
    title: "Get a product",
    description: "Reads one product with its options, and the variants that a selection leaves.",
    payload: { name: "catalog", schema: productPayload },
  },
  create_cart: {
    ...writing,
    title: "Create a cart",
    description: "Creates a cart with estimated prices.",
    payload: { name: "cart", schema: cartPayload },
  },
  get_cart: {
    ...reading,
    title: "Get a cart",
    description: "Reads a cart.",
    hasId: true,
    payload: null,
  },
  update_cart: {
    ...writing,
    title: "Update a cart",
    description: "Replaces the whole cart: send all lines, with their ids where they have one.",
    hasId: true,
    payload: { name: "cart", schema: cartPayload },
  },
  cancel_cart: { ...ending, title: "Cancel a cart", description: "Cancels a cart.", payload: null },
  create_checkout: {
    ...writing,
    title: "Create a checkout",
    description: "Creates a checkout from lines, or from a cart by its cart_id.",
    payload: { name: "checkout", schema: newCheckoutPayload },
  },
  get_checkout: {
    ...reading,
    title: "Get a checkout",
    description: "Reads a checkout.",
    hasId: true,
    payload: null,
  },
  update_checkout: {
    ...writing,
    title: "Update a checkout",
    description:
      "Replaces the whole checkout: buyer, lines, discounts, and how it is delivered or collected.",
    hasId: true,
    payload: { name: "checkout", schema: checkoutPayload },
  },
  complete_checkout: {
    ...ending,
    title: "Complete a checkout",
    description:
      "Places the order and charges the payment instrument. The buyer must have agreed to the totals.",
    payload: { name: "checkout", schema: completionPayload },
  },
  cancel_checkout: {
    ...ending,
    title: "Cancel a checkout",
    description: "Cancels a checkout.",
    payload: null,
  },
  get_order: {
    ...reading,
    title: "Get an order",
    description: "Reads an order with its shipments and refunds.",
    hasId: true,
    payload: null,
  },
};

export const isAgentToolName = (name: string): name is AgentToolName =>
  Object.hasOwn(agentTools, name);

/** The tools whose operations the Worker serves, in the order of the protocol. */
export const listAgentTools = (): McpTool[] =>
  Object.entries(agentTools)
    .filter(([name]) => isAgentToolName(name) && agentOperations[name] !== undefined)
    .map(([name, tool]) => toMcpTool(name, tool));

function toMcpTool(name: string, tool: AgentTool): McpTool {
  const { title, description, hasId, payload, isRead, isFinal } = tool;
  return {
    name,
    title,
    description,
    inputSchema: {
      type: "object",
      properties: {
        meta: metaSchema(tool),
        ...(hasId && { id: { type: "string", description: "The id of the record." } }),
        ...(payload !== null && { [payload.name]: payload.schema }),
      },
      required: ["meta", ...(hasId ? ["id"] : []), ...(payload === null ? [] : [payload.name])],
    },
    outputSchema,
    annotations: {
      title,
      readOnlyHint: isRead,
      destructiveHint: isFinal,
      idempotentHint: isRead || isFinal,
      openWorldHint: false,
    },
  };
}

const metaSchema = ({ needsIdempotencyKey }: AgentTool) => ({
  type: "object",
  properties: {
    "ucp-agent": {
      type: "object",
      properties: {
        profile: { type: "string", format: "uri", description: "The URL of your UCP profile." },
      },
      required: ["profile"],
    },
    "idempotency-key": {
      type: "string",
      description: "A UUID for one logical attempt; a repeat with it has no second effect.",
    },
  },
  required: ["ucp-agent", ...(needsIdempotencyKey ? ["idempotency-key"] : [])],
});

// The schemas of the protocol are at addresses, which clients must not fetch. What all answers have
// is said here, and docs/mcp.md says where the rest is.
const outputSchema = {
  type: "object",
  properties: { ucp: { type: "object" }, messages: { type: "array" } },
  required: ["ucp"],
};
