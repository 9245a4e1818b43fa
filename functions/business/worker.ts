import { surface } from "../http/app.ts";
import { documents } from "../http/documents.ts";
import { businessOfPath } from "./business-of-path.ts";
import { attributes } from "./routes/attributes.ts";
import { audit } from "./routes/audit.ts";
import { billingPlans } from "./routes/billing-plans.ts";
import { bundles } from "./routes/bundles.ts";
import { business } from "./routes/business.ts";
import { categories } from "./routes/categories.ts";
import { collections } from "./routes/collections.ts";
import { composites } from "./routes/composites.ts";
import { customers } from "./routes/customers.ts";
import { deals } from "./routes/deals.ts";
import { inventory } from "./routes/inventory.ts";
import { keys } from "./routes/keys.ts";
import { locations } from "./routes/locations.ts";
import { operatorRoutes } from "./routes/operator.ts";
import { orders } from "./routes/orders.ts";
import { products } from "./routes/products.ts";
import { reports } from "./routes/reports.ts";
import { services } from "./routes/services.ts";
import { transfer } from "./routes/transfer.ts";

const app = surface({ wantedBusiness: businessOfPath, limitsAddresses: true });

// Before the rows: `openapi.json` would else be taken for a business's id.
documents(app, {
  prefix: "/v1/businesses",
  title: "Duka for businesses",
  description: "The merchant's and the operator's calls.",
});

app.route("/", operatorRoutes);
app.route("/", business);
app.route("/", keys);
app.route("/", locations);
app.route("/", audit);
app.route("/", products);
app.route("/", categories);
app.route("/", collections);
app.route("/", attributes);
app.route("/", billingPlans);
app.route("/", bundles);
app.route("/", composites);
app.route("/", deals);
app.route("/", inventory);
app.route("/", orders);
app.route("/", customers);
app.route("/", reports);
app.route("/", services);
app.route("/", transfer);

export default app;
