import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { SlowestFirstSequencer } from "./test/support/test-sequencer.ts";

const memory = "/dev/shm";
const enough = 2 * 1024 ** 3;

/** Whether files can be kept in memory; a container often has next to none of it. */
function hasMemory(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enough;
}

// Databases and objects are files in the temporary folder, and each write waits for its disk.
if (hasMemory()) process.env.TMPDIR ??= memory;

/** One more than processors: a file waits for disks, timers and services a quarter of its time. */
const maxWorkers = Math.min(availableParallelism() + 1, 4);

const insideWorkerd = cloudflareTest(async () => ({
  wrangler: { configPath: "./test/wrangler.toml" },
  miniflare: {
    bindings: {
      CORE_MIGRATIONS: await readD1Migrations("./migrations/core"),
      SHOP_MIGRATIONS: await readD1Migrations("./migrations/shop"),
    },
  },
}));

/** The tests that run inside workerd, with the Workers and their databases. */
export const workerdProject = {
  plugins: [insideWorkerd],
  envPrefix: ["VITE_", "TEST_", "MODEL_", "FUZZ_"], // what of the environment arrives inside workerd
  test: {
    name: "workerd",
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**", "test/end-to-end/**", "test/limits/**", "test/scripts/**"],
    setupFiles: ["./test/support/setup.ts"],
    globalSetup: [
      "./test/support/runtime-exceptions.ts",
      "./test/webhooks/misbehaving-receivers.ts",
      "./test/payments/paystack-server.ts",
      "./test/payments/stripe/stripe-server.ts",
    ],
    // Long, because only a busy machine makes a test slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // Its three hundred files are loaded as one.
    deps: { optimizer: { ssr: { enabled: true, include: ["stripe"] } } },
    // Files share a few workerd processes, because each test has a business of its own.
    isolate: false,
    maxWorkers,
  },
} satisfies TestProjectInlineConfiguration;

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirstSequencer },
    projects: [
      workerdProject,
      {
        test: {
          name: "node",
          maxWorkers, // both projects share them
          include: ["end-to-end", "limits", "scripts"].map((area) => `test/${area}/**/*.test.ts`),
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
