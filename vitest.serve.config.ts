import { defineConfig } from "vitest/config";

/**
 * Shops with `npm run serve`, one file after the other, because each of them may have to build the
 * Workers first: `npm run test:serve`.
 */
export default defineConfig({
  test: {
    name: "serve",
    include: ["test/end-to-end/serve-conversation.ts", "test/end-to-end/agents/agent-shopping.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
