import { expect, it } from "vitest";
import { keepRunning, type WorkerControls } from "../../scripts/dev/keep-running.ts";

const end = new Error("The test ends.");

/** Watches Workers whose health checks have these results, until the last. */
async function watch(checks: readonly boolean[], over: Partial<WorkerControls> = {}) {
  const left = [...checks];
  const reports: string[] = [];
  let seconds = 0;
  let restarts = 0;
  const hasReturned = await keepRunning({
    isHealthy: async () => left.shift() ?? false,
    async restart() {
      restarts += 1;
    },
    async pause(ms) {
      seconds += ms / 1_000;
      if (left.length === 0) throw end;
    },
    now: () => seconds * 1_000,
    report: (message) => void reports.push(message),
    ...over,
  }).then(
    () => true,
    (error: unknown) => {
      if (error !== end) throw error;
      return false;
    },
  );
  return { reports, restarts, hasReturned };
}

const [up, down] = [true, false];
const stopped = [down, down, down];

it("starts the Workers again when they do not respond, and says so", async () => {
  expect(await watch([up, ...stopped, up])).toEqual({
    reports: [expect.stringContaining("Starting them again"), "The Workers run again."],
    restarts: 1,
    hasReturned: false,
  });
});

it("ignores single failures, for example while a Worker is reloaded", async () => {
  expect(await watch([up, down, down, up, down, down, up])).toMatchObject({
    reports: [],
    restarts: 0,
  });
});

it("gives up after three restarts within a minute, and says so", async () => {
  const { reports, restarts, hasReturned } = await watch(Array(20).fill(down));
  expect({ restarts, hasReturned }).toEqual({ restarts: 3, hasReturned: true });
  expect(reports.at(-1)).toContain("run npm run dev again");
});

it("does not give up when the restarts are further apart", async () => {
  const minuteOfHealth = Array(60).fill(up);
  const checks = Array(5)
    .fill([...stopped, ...minuteOfHealth])
    .flat();
  expect(await watch(checks)).toMatchObject({ restarts: 5, hasReturned: false });
});

it("tries again when a start fails", async () => {
  const { reports } = await watch([...stopped, ...stopped], {
    restart: () => Promise.reject(new Error("wrangler exited with 1.")),
  });
  expect(reports.filter((text) => text.includes("wrangler exited with 1."))).toHaveLength(2);
});
