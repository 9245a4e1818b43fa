import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const insideWorkerd = cloudflareTest(async () => ({
  wrangler: { configPath: "./test/wrangler.toml" },
  miniflare: {
    bindings: {
      CORE_MIGRATIONS: await readD1Migrations("./migrations/core"),
      SHOP_MIGRATIONS: await readD1Migrations("./migrations/shop"),
    },
  },
}));

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [insideWorkerd],
        envPrefix: ["VITE_", "MODEL_", "FUZZ_"], // what of the environment arrives inside workerd
        test: {
          name: "workerd",
          include: ["test/**/*.test.ts"],
          exclude: ["test/browser/**", "test/end-to-end/**", "test/limits/**", "test/scripts/**"],
          setupFiles: ["./test/support/setup.ts"],
          testTimeout: 30_000, // they wait for nothing: only a busy machine makes one slow
          expect: { poll: { timeout: 10_000 } },
          // Two workerds for all files: each test lives in a business of its own.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "node",
          maxWorkers: 2, // as above: both projects share them
          include: ["end-to-end", "limits", "scripts"].map((area) => `test/${area}/**/*.test.ts`),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
