import { surface } from "../http/app.ts";
import { documents } from "../http/documents.ts";

const app = surface({ limitsAddresses: true });

documents(app, {
  prefix: "/v1/link",
  title: "Duka Link",
  description: "A customer's saved data across businesses.",
});

export default app;
