import { afterAll, expect, it } from "vitest";
import { connectToCloudflare } from "../../../scripts/deploy/cloudflare/api.ts";
import { openDeployFiles } from "../../../scripts/deploy/deploy-files.ts";
import { planDeploy } from "../../../scripts/deploy/run-deploy.ts";
import { uploadWithWrangler } from "../../../scripts/deploy/upload.ts";
import { readWorkerConfigs } from "../../../scripts/deploy/worker-config.ts";
import { contentsOf, createAccountState } from "./cloudflare-account.ts";
import { accountId } from "./cloudflare-api.ts";
import { startCloudflare } from "./cloudflare-server.ts";
import { createFolder } from "./deployments.ts";

/** The Workers whose uploads are interrupted: the one with most triggers, and the one with files. */
const interrupted = ["duka-background", "duka-front"];

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

async function uploadOne(worker: string): Promise<void> {
  const { steps } = await plan();
  cloudflare.calls.length = 0; // a cut counts the calls of wrangler only
  await steps.find(({ title }) => title === `deploy ${worker}`)?.run();
}

it("wrangler deploys all Workers with their secrets, and the same again", async () => {
  for (const { run } of (await plan()).steps) await run();
  const first = contentsOf(state);
  expect(Object.keys(first.scripts)).toHaveLength(6);
  expect([...state.secretValues.values()].map((values) => values.size)).toEqual([1, 1, 1, 1]);
  expect(first.scripts["duka-background"]?.schedules).toEqual(["* * * * *"]);
  expect(Object.values(first.queues).map((consumers) => consumers.length)).toEqual([1, 0, 1, 1]);
  for (const { run } of (await plan()).steps) await run();
  expect(contentsOf(state)).toEqual(first);
});

it.each(interrupted)(
  "%s is complete after an interruption at every call of wrangler",
  async (worker) => {
    const expected = contentsOf(state);
    cloudflare.cutAt(null);
    await uploadOne(worker);
    const calls = cloudflare.calls.length;
    for (const isFirst of [true, false])
      for (let call = 1; call <= calls; call += 1)
        for (const when of ["before", "after"] as const) {
          if (isFirst) {
            state.scripts.delete(worker);
            for (const queue of state.queues.values())
              if (queue.consumers.some(({ body }) => body.script_name === worker))
                queue.consumers = [];
          }
          cloudflare.cutAt({ call, when });
          await uploadOne(worker).catch(() => {});
          cloudflare.cutAt(null);
          await uploadOne(worker);
          expect(contentsOf(state), `${when} call ${call}`).toEqual(expected);
          expect([...state.secretValues.values()].map((values) => values.size)).toEqual([
            1, 1, 1, 1,
          ]);
        }
    expect(calls).toBeGreaterThan(5);
  },
);
