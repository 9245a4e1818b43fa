import { defineConfig } from "vitest/config";

/** The frames in Chromium: `npm run test:browser`, which wants the browser of CHROMIUM or /usr/bin/chromium. */
export default defineConfig({
  test: {
    name: "browser",
    globalSetup: ["test/browser/shared-service.ts"],
    include: ["test/browser/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
