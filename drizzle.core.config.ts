import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "./shared/database/core-schema.ts",
  out: "./migrations/core",
});
