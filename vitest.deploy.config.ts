import { defineConfig } from "vitest/config";

/** Deploys with wrangler to a local copy of Cloudflare's API: `npm run test:deploy`. */
export default defineConfig({
  test: {
    name: "deploy",
    include: ["test/scripts/deploy/with-wrangler.ts"],
    testTimeout: 1_800_000,
  },
});
