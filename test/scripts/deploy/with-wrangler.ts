import { afterAll, expect, it } from "vitest";
import { connectToCloudflare } from "../../../scripts/deploy/cloudflare/api.ts";
import { openDeployFiles } from "../../../scripts/deploy/deploy-files.ts";
import { planDeploy } from "../../../scripts/deploy/run-deploy.ts";
import { uploadWithWrangler } from "../../../scripts/deploy/upload.ts";
import { readWorkerConfigs } from "../../../scripts/deploy/worker-config.ts";
import { contentsOf, createAccountState } from "./cloudflare-account.ts";
import { accountId } from "./cloudflare-api.ts";
import { startCloudflare } from "./cloudflare-server.ts";
import { type Cut, createFolder } from "./deployments.ts";

const state = createAccountState();
const cloudflare = await startCloudflare(state);
process.env.CLOUDFLARE_API_BASE_URL = cloudflare.url;
process.env.CLOUDFLARE_API_TOKEN = "token";
afterAll(() => cloudflare.stop());

const folder = createFolder(afterAll);
const configs = await readWorkerConfigs();

const plan = async () =>
  planDeploy({
    api: connectToCloudflare(cloudflare.url, "token"),
    accountId,
    environment: "production",
    configs,
    files: openDeployFiles(folder, "production"),
    env: {},
    migrations: "migrations",
    upload: uploadWithWrangler,
  });

/** Uploads a Worker, and counts the calls of wrangler only. */
async function uploadOne(worker: string, cut: Cut | null = null): Promise<void> {
  cloudflare.cutAt(null);
  const { steps } = await plan();
  cloudflare.cutAt(cut);
  await steps.find(({ title }) => title === `deploy ${worker}`)?.run();
}

function removeWorker(worker: string): void {
  state.scripts.delete(worker);
  for (const queue of state.queues.values())
    queue.consumers = queue.consumers.filter(({ body }) => body.script_name !== worker);
}

it("wrangler deploys all Workers with their secrets, and the same again", async () => {
  for (const { run } of (await plan()).steps) await run();
  const first = contentsOf(state);
  expect(Object.keys(first.scripts).toSorted()).toEqual([...configs.keys()].toSorted());
  expect([...state.secretValues.values()].map((values) => values.size)).toEqual([1, 1, 1, 1]);
  expect(first.scripts["duka-background"]?.schedules).toEqual(["* * * * *"]);
  expect(Object.values(first.queues).map((consumers) => consumers.length)).toEqual([1, 1, 1, 1]);
  for (const { run } of (await plan()).steps) await run();
  expect(contentsOf(state)).toEqual(first);
});

it.each([
  ["duka-background", "new"],
  ["duka-background", "deployed"],
  ["duka-front", "new"],
])("%s is complete after an interruption of wrangler while it is %s", async (worker, status) => {
  const expected = contentsOf(state);
  const isNew = status === "new";
  if (isNew) removeWorker(worker);
  await uploadOne(worker);
  expect(contentsOf(state)).toEqual(expected);
  const cuts = cloudflare.calls.flatMap((call, index) => {
    const before = { call: index + 1, when: "before" as const };
    // A lost response to a read is the same as no call.
    return call.startsWith("GET ") ? [before] : [before, { ...before, when: "after" as const }];
  });
  expect(cuts.length).toBeGreaterThan(8);
  for (const cut of cuts) {
    if (isNew) removeWorker(worker);
    // Wrangler repeats some calls itself, and then no error is left.
    const failure = await uploadOne(worker, cut).catch((error: unknown) => String(error));
    console.log(
      `${worker} ${status}: ${cut.when} call ${cut.call}: ${failure ? "failed" : "repeated"}`,
    );
    if (failure) await uploadOne(worker);
    const place = `${cut.when} call ${cut.call}`;
    expect(contentsOf(state), place).toEqual(expected);
    expect([...state.secretValues.values()].map((values) => values.size)).toEqual([1, 1, 1, 1]);
  }
});
