import type { CatalogueEntry } from "../../../shared/catalogue/index.ts";
import type { AgentAnswer, AgentCall } from "../agent-call.ts";
import { findEntries, isProductNamedBy, variantsNamedBy } from "../catalogue/catalogue-reader.ts";
import { isInCategories, isWithinBounds, priceBoundsOf } from "../catalogue/filters.ts";
import { hostedChoiceMessages } from "../catalogue/hosted-choice-messages.ts";
import { ProtocolError } from "../protocol-error.ts";
import { LookupRequest, maxLookupIds } from "../requests/catalogue-fields.ts";
import { parseBody } from "../requests/parse-body.ts";
import { infoMessage, viewMessages } from "../views/message.ts";
import { soldItemsOf, viewProduct } from "../views/product.ts";
import { viewUcp } from "../views/ucp.ts";
import type { AgentInput } from "./agent-operation.ts";

/** Finds the products of many identifiers (docs/agents.md#catalogue). */
export async function lookUpCatalog(call: AgentCall, { body }: AgentInput): Promise<AgentAnswer> {
  const request = parseBody(LookupRequest, body);
  const ids = [...new Set(request.ids)];
  if (ids.length > maxLookupIds)
    throw new ProtocolError("request_too_large", `ids takes at most ${maxLookupIds} identifiers.`);
  const { bounds, messages } = priceBoundsOf(call, request);
  const found = await findEntries(call, ids);
  const entryById = new Map([...found.values()].flat().map((entry) => [entry.product.id, entry]));
  const shown = [...entryById.values()]
    .filter((entry) => isInCategories(entry, request.filters))
    .map((entry) => ({ entry, items: itemsNamedBy(entry, ids).filter(isWithinBounds(bounds)) }))
    .filter(({ items }) => items.length > 0);
  const unknown = ids.filter((id) => !found.get(id)?.length);
  return {
    status: 200,
    body: {
      ucp: viewUcp(call, "dev.ucp.shopping.catalog.lookup"),
      products: shown.map(({ entry, items }) => viewProduct(call, entry, items)),
      ...viewMessages([
        ...messages,
        ...unknown.map((id) => infoMessage("not_found", id)),
        ...shown.flatMap(({ entry }, index) =>
          hostedChoiceMessages(call, entry, `$.products[${index}]`),
        ),
      ]),
    },
  };
}

/** The items that the identifiers name, each with the identifiers that name it. */
function itemsNamedBy(entry: CatalogueEntry, ids: readonly string[]) {
  const [featured, ...others] = soldItemsOf(entry);
  return [featured, ...others].flatMap((item) => {
    if (!item) return [];
    const inputs = ids.flatMap((id) => {
      if (item.variant && variantsNamedBy(entry, id).includes(item.variant))
        return [{ id, match: "exact" as const }];
      if (item === featured && isProductNamedBy(entry, id))
        return [{ id, match: item.variant ? ("featured" as const) : ("exact" as const) }];
      return [];
    });
    return inputs.length === 0 ? [] : [{ ...item, inputs }];
  });
}
