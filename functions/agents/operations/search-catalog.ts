import { productListing, storefrontCatalogue } from "../../../shared/catalogue/index.ts";
import type { AgentAnswer, AgentCall } from "../agent-call.ts";
import { createCatalogueReader } from "../catalogue/catalogue-reader.ts";
import { isWithinBounds, priceBoundsOf } from "../catalogue/filters.ts";
import { hostedChoiceMessages } from "../catalogue/hosted-choice-messages.ts";
import { SearchRequest } from "../requests/catalogue-fields.ts";
import { parseBody } from "../requests/parse-body.ts";
import { viewMessages } from "../views/message.ts";
import { soldItemsOf, viewProduct } from "../views/product.ts";
import { viewUcp } from "../views/ucp.ts";
import type { AgentInput } from "./agent-operation.ts";

/** Finds products by text, category and price (docs/agents.md#catalogue). */
export async function searchCatalog(call: AgentCall, { body }: AgentInput): Promise<AgentAnswer> {
  const request = parseBody(SearchRequest, body);
  const { bounds, messages } = priceBoundsOf(call, request);
  const filters: productListing.ProductFilters = {
    ...productListing.noFilters,
    search: request.query,
    categorySlugs: request.filters.categories ?? [],
    minPriceMinor: bounds.minMinor,
    maxPriceMinor: bounds.maxMinor,
  };
  const sort = productListing.productSortFor({ by: null, direction: null }, filters);
  const list = { business: call.business, filters, sort };
  const { cursor, limit } = request.pagination;
  const { data } = await storefrontCatalogue.listCatalogueEntries(createCatalogueReader(call), {
    filters,
    sort,
    limit,
    start:
      cursor === undefined
        ? { offset: 0 }
        : { after: await productListing.decodeCursor(list, cursor) },
    scanLimit: productListing.defaultScanLimit,
  });
  const products = data.items.map((entry) => {
    const items = soldItemsOf(entry);
    const matching = items.filter(isWithinBounds(bounds));
    return viewProduct(call, entry, matching.length > 0 ? matching : items);
  });
  return {
    status: 200,
    body: {
      ucp: viewUcp(call, "dev.ucp.shopping.catalog.search"),
      products,
      pagination: {
        has_next_page: data.next !== null,
        ...(data.next && { cursor: await productListing.encodeCursor(list, data.next) }),
      },
      ...viewMessages([
        ...messages,
        ...data.items.flatMap((entry, index) =>
          hostedChoiceMessages(call, entry, `$.products[${index}]`),
        ),
      ]),
    },
  };
}
