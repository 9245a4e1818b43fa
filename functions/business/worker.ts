import { surface } from "../http/app.ts";
import { documents } from "../http/documents.ts";

const app = surface();

documents(app, {
  prefix: "/v1/businesses",
  title: "Duka for businesses",
  description: "The merchant's and the operator's calls.",
});

export default app;
