import { createApi, createSectionedApi, type Section, section } from "../http/app.ts";
import type { RequestContext } from "../http/context.ts";
import type { ApiDescription } from "../http/openapi/documents.ts";
import type { BusinessBindings } from "./env.ts";

const prefix = "/v1/businesses";

const sections: readonly Section<BusinessBindings>[] = [
  section([""], async (app) => {
    app.route("/", (await import("./routes/settings/operator.ts")).operatorRoutes);
    app.route("/", (await import("./routes/settings/business.ts")).business);
  }),
  section(["suspend", "resume", "close"], async (app) =>
    app.route("/", (await import("./routes/settings/business-status.ts")).businessStatus),
  ),
  section(["move"], async (app) =>
    app.route("/", (await import("./routes/settings/moves.ts")).moves),
  ),
  section(["organizations"], async (app) =>
    app.route("/", (await import("./routes/settings/organization-keys.ts")).organizationKeys),
  ),
  section(["operator"], async (app) => {
    app.route("/", (await import("./routes/operator/status.ts")).operatorStatus);
    app.route("/", (await import("./routes/operator/metrics.ts")).metrics);
    app.route("/", (await import("./routes/operator/dead-letters.ts")).deadLetters);
    app.route("/", (await import("./routes/operator/books.ts")).books);
    app.route("/", (await import("./routes/operator/operators.ts")).operators);
    app.route("/", (await import("./routes/operator/credentials.ts")).credentials);
  }),
  section(["console"], async (app) => {
    app.route("/", (await import("./routes/console/auth.ts")).consoleAuth);
    app.route("/", (await import("./routes/console/passkeys.ts")).passkeyRoutes);
  }),
  section(["members"], async (app) =>
    app.route("/", (await import("./routes/settings/members.ts")).members),
  ),
  section(["messages"], async (app) => {
    app.route("/", (await import("./routes/settings/messages.ts")).messages);
    app.route("/", (await import("./routes/settings/message-templates.ts")).messageTemplates);
  }),
  section(["payment-providers"], async (app) =>
    app.route("/", (await import("./routes/settings/payment-providers.ts")).paymentProviders),
  ),
  section(["keys"], async (app) =>
    app.route("/", (await import("./routes/settings/keys.ts")).keys),
  ),
  section(["agent-keys"], async (app) =>
    app.route("/", (await import("./routes/settings/agent-keys.ts")).agentKeys),
  ),
  section(["domains"], async (app) =>
    app.route("/", (await import("./routes/settings/domains.ts")).domains),
  ),
  section(["locations"], async (app) =>
    app.route("/", (await import("./routes/settings/locations.ts")).locations),
  ),
  section(["tax"], async (app) => {
    app.route("/", (await import("./routes/settings/tax-classes.ts")).taxClasses);
    app.route("/", (await import("./routes/settings/tax-rates.ts")).taxRates);
  }),
  section(["delivery"], async (app) => {
    app.route("/", (await import("./routes/settings/delivery-zones.ts")).deliveryZones);
    app.route("/", (await import("./routes/settings/delivery-methods.ts")).deliveryMethods);
  }),
  section(["audit"], async (app) =>
    app.route("/", (await import("./routes/settings/audit.ts")).audit),
  ),
  section(["products"], async (app) => {
    app.route("/", (await import("./routes/catalogue/products.ts")).products);
    app.route("/", (await import("./routes/catalogue/product-parts.ts")).productParts);
  }),
  section(["categories"], async (app) =>
    app.route("/", (await import("./routes/catalogue/categories.ts")).categories),
  ),
  section(["collections"], async (app) =>
    app.route("/", (await import("./routes/catalogue/collections.ts")).collections),
  ),
  section(["attributes"], async (app) =>
    app.route("/", (await import("./routes/catalogue/attributes.ts")).attributes),
  ),
  section(["billing-plans"], async (app) =>
    app.route("/", (await import("./routes/catalogue/billing-plans.ts")).billingPlans),
  ),
  section(["bundles"], async (app) =>
    app.route("/", (await import("./routes/catalogue/bundles.ts")).bundles),
  ),
  section(["composites"], async (app) =>
    app.route("/", (await import("./routes/catalogue/composites.ts")).composites),
  ),
  section(["deals"], async (app) =>
    app.route("/", (await import("./routes/catalogue/deals.ts")).deals),
  ),
  section(["inventory"], async (app) =>
    app.route("/", (await import("./routes/inventory.ts")).inventory),
  ),
  section(["orders"], async (app) => {
    app.route("/", (await import("./routes/orders/orders.ts")).orders);
    app.route("/", (await import("./routes/orders/order-payments.ts")).orderPayments);
    app.route("/", (await import("./routes/orders/shipments.ts")).shipments);
  }),
  section(["subscriptions"], async (app) =>
    app.route("/", (await import("./routes/orders/subscriptions.ts")).subscriptions),
  ),
  section(["customers"], async (app) =>
    app.route("/", (await import("./routes/orders/customers.ts")).customers),
  ),
  section(["customer-groups"], async (app) =>
    app.route("/", (await import("./routes/orders/customer-groups.ts")).customerGroups),
  ),
  section(["reports"], async (app) =>
    app.route("/", (await import("./routes/orders/reports.ts")).reports),
  ),
  section(["today"], async (app) => app.route("/", (await import("./routes/today.ts")).today)),
  section(["conversations"], async (app) =>
    app.route("/", (await import("./routes/conversations.ts")).conversations),
  ),
  section(["services"], async (app) =>
    app.route("/", (await import("./routes/scheduling/services.ts")).services),
  ),
  section(["bookings"], async (app) =>
    app.route("/", (await import("./routes/scheduling/bookings.ts")).bookings),
  ),
  section(["staff"], async (app) =>
    app.route("/", (await import("./routes/scheduling/staff.ts")).staff),
  ),
  section(["resources"], async (app) =>
    app.route("/", (await import("./routes/scheduling/resources.ts")).resources),
  ),
  section(["imports", "exports"], async (app) => {
    app.route("/", (await import("./routes/catalogue/transfer.ts")).transfer);
    app.route("/", (await import("./routes/settings/exports.ts")).businessExports);
    app.route("/", (await import("./routes/settings/business-imports.ts")).businessImports);
  }),
  section(["assets"], async (app) => app.route("/", (await import("./routes/assets.ts")).assets)),
];

/**
 * The path segment that selects the section of routes. In the paths of a business this segment
 * follows the business's id.
 */
function pathSegmentOf(path: string): string {
  const [, , collection = "", , section = ""] = path.split("/");
  return collection === "businesses" ? section : collection;
}

/**
 * Takes the business from the path instead of X-Business-Id. The key must serve this business.
 * Handlers use the business of the authenticated caller and never the path's parameter.
 */
const businessIdInPath = (c: RequestContext): string | null =>
  /^\/v1\/businesses\/([^/]+)/.exec(c.req.path)?.[1] ?? null;

const newApp = () =>
  createApi<BusinessBindings>({
    readBusinessId: businessIdInPath,
    hasAddressLimit: true,
    unknownInput: "refused",
    takesConsoleCookie: (c) => businessIdInPath(c) !== null,
  });

const description: ApiDescription<BusinessBindings> = {
  prefix,
  loadDescription: async () => (await import("./document.ts")).documentDescription,
};

export default createSectionedApi({ description, sections, pathSegmentOf, newApp });
