import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "./shared/database/shop-schema.ts",
  out: "./migrations/shop",
});
