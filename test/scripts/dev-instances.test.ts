import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";

const { spawn } = vi.hoisted(() => ({ spawn: vi.fn() }));
vi.mock("node:child_process", () => ({ spawn }));

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The environment of wrangler when `npm run dev` starts with this state folder. */
async function environmentOf(stateDir: string): Promise<Readonly<Record<string, string>>> {
  vi.resetModules();
  vi.stubEnv("STATE_DIR", stateDir);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const child = Object.assign(new EventEmitter(), { stdin, stdout, stderr, exitCode: 0 });
  spawn.mockReturnValueOnce(child);
  const { startWorkers } = await import("../../scripts/dev/workers.ts");
  const workers = startWorkers({ port: 9_999, stateDir, demoKeysUrl: "http://localhost/" });
  child.emit("exit");
  await workers.stop();
  return spawn.mock.lastCall?.[2].env;
}

it("keeps the Workers of two checkouts apart, also when the environment names one registry for both", async () => {
  vi.stubEnv("WRANGLER_REGISTRY_PATH", "/tmp/shared-registry");
  for (const stateDir of ["/tmp/one/.state", "/tmp/two/.state"]) {
    expect(await environmentOf(stateDir)).toMatchObject({
      WRANGLER_REGISTRY_PATH: `${stateDir}/registry`,
      WRANGLER_LOG_PATH: `${stateDir}/logs`,
    });
  }
});
