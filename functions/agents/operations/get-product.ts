import { selectVariants } from "../../../shared/agents/index.ts";
import type { AgentAnswer, AgentCall } from "../agent-call.ts";
import { findEntries, isProductNamedBy } from "../catalogue/catalogue-reader.ts";
import { isInCategories, isWithinBounds, priceBoundsOf } from "../catalogue/filters.ts";
import { hostedChoiceMessages } from "../catalogue/hosted-choice-messages.ts";
import { ProductRequest } from "../requests/catalogue-fields.ts";
import { parseBody } from "../requests/parse-body.ts";
import { errorAnswer } from "../views/error-answer.ts";
import { viewMessages } from "../views/message.ts";
import { soldItemsOf, toSoldItem, viewProductDetail } from "../views/product.ts";
import { viewUcp } from "../views/ucp.ts";
import type { AgentInput } from "./agent-operation.ts";

const capability = "dev.ucp.shopping.catalog.lookup";

/** Shows one product, narrowed by the options that a buyer has chosen (docs/agents.md#catalogue). */
export async function getProduct(call: AgentCall, { body }: AgentInput): Promise<AgentAnswer> {
  const request = parseBody(ProductRequest, body);
  const { id, selected = null, preferences, filters } = request;
  const { bounds, messages } = priceBoundsOf(call, request);
  const entries = (await findEntries(call, [id])).get(id) ?? [];
  const anchoredEntry = entries.find(({ product }) => product.variants.some((v) => v.id === id));
  const entry = anchoredEntry ?? entries.find((one) => isProductNamedBy(one, id));
  if (!entry || !isInCategories(entry, filters)) return productNotFound(call);

  const anchor = entry.product.variants.find((variant) => variant.id === id) ?? null;
  const selection = selectVariants(entry, { anchor, selected, preferences });
  const candidates =
    selection.variants.length > 0
      ? selection.variants.map((variant) => toSoldItem(entry, variant))
      : soldItemsOf(entry);
  const items = candidates.filter(isWithinBounds(bounds));
  if (items.length === 0) return productNotFound(call);
  return {
    status: 200,
    body: {
      ucp: viewUcp(call, capability),
      product: viewProductDetail(call, entry, { items, selection }),
      ...viewMessages([...messages, ...hostedChoiceMessages(call, entry, "$.product")]),
    },
  };
}

const productNotFound = (call: AgentCall): AgentAnswer =>
  errorAnswer(call, capability, { code: "not_found", content: "There is no such product." });
