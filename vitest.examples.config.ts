import { defineConfig } from "vitest/config";
import { workerdProject } from "./vitest.config.ts";

/** Records the examples of the OpenAPI documents: `npm run openapi:examples`. */
export default defineConfig({
  ...workerdProject,
  test: {
    ...workerdProject.test,
    name: "examples",
    include: ["test/http/examples/record-examples.ts"],
  },
});
