import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildWorkers } from "./deploy/bundles.ts";
import { findAccount, findToken, missingToken } from "./deploy/cloudflare/account.ts";
import { apiAddress, CloudflareError, connectToCloudflare } from "./deploy/cloudflare/api.ts";
import { openDeployFiles } from "./deploy/deploy-files.ts";
import { DeployProblem } from "./deploy/deploy-problem.ts";
import { findUnhealthy, respondsAt } from "./deploy/health.ts";
import { describeDeployment, describePlan } from "./deploy/report.ts";
import { type DeployContext, planDeploy } from "./deploy/run-deploy.ts";
import { uploadWithWrangler } from "./deploy/upload.ts";
import { assertEnvironment, production, readWorkerConfigs } from "./deploy/worker-config.ts";
import { copyApiReference } from "./dev/api-reference.ts";
import { buildConsole } from "./dev/console.ts";
import { root } from "./dev/paths.ts";

const { values: options } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    env: { type: "string", default: production },
  },
});
const { "dry-run": isDryRun, env: environment } = options;

try {
  process.exitCode = await (isDryRun ? describe() : deploy());
} catch (error) {
  console.error(`\n${explain(error)}`);
  process.exitCode = 1;
}

/** Builds the Workers, and says what a deployment would do when there is a login at Cloudflare. */
async function describe(): Promise<number> {
  assertEnvironment(environment);
  await buildStaticFiles();
  const exitCode = await buildWorkers();
  const token = findToken(process.env);
  if (token === null) {
    console.log(`\n${missingToken}\n\nThen this also says what npm run deploy would do.`);
    return exitCode;
  }
  const { steps } = await planDeploy(await connect(token));
  const titles = steps.map(({ title }) => title);
  console.log(`\n${describePlan(environment, titles)}`);
  return exitCode;
}

async function deploy(): Promise<number> {
  assertEnvironment(environment);
  const token = findToken(process.env);
  if (token === null) throw new DeployProblem(missingToken);
  const context = await connect(token);
  return context.files.withLock(() => runDeploy(context));
}

async function runDeploy(context: DeployContext): Promise<number> {
  const { files, accountId } = context;
  const plan = await planDeploy(context);
  files.writeState({ ...files.readState(), account: accountId });
  await buildStaticFiles();
  for (const { title, run } of plan.steps) {
    console.log(title);
    await run();
  }
  console.log("check that the Workers respond");
  const unhealthy = await findUnhealthy(plan.origin, respondsAt);
  const state = files.readState();
  const token = plan.settings.get("OPERATOR_TOKEN") ?? null;
  console.log(
    describeDeployment({
      origin: plan.origin,
      settings: plan.settings,
      settingsPath: files.settingsPath,
      operatorToken: state.isOperatorTokenShown ? null : token,
    }),
  );
  files.writeState({ ...state, isOperatorTokenShown: true });
  if (unhealthy.length === 0) return 0;
  console.error(`\nEverything is deployed, but these do not respond:\n\n${unhealthy.join("\n")}`);
  return 1;
}

async function connect(token: string): Promise<DeployContext> {
  const files = openDeployFiles(resolve(root, process.env.DEPLOY_DIR ?? ".deploy"), environment);
  const api = connectToCloudflare(apiAddress(process.env), token);
  const named =
    process.env.CLOUDFLARE_ACCOUNT_ID ?? files.readSettings()?.get("CLOUDFLARE_ACCOUNT_ID");
  return {
    api,
    accountId: await findAccount(api, { named, recorded: files.readState().account }),
    environment,
    configs: await readWorkerConfigs(),
    files,
    env: process.env,
    migrations: join(root, "migrations"),
    upload: uploadWithWrangler,
  };
}

/** Builds what the front serves. */
async function buildStaticFiles(): Promise<void> {
  copyApiReference();
  await buildConsole();
}

/** What went wrong, and what to do about it. */
function explain(error: unknown): string {
  if (error instanceof DeployProblem) return error.message;
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof CloudflareError || error instanceof TypeError || isTimeout(error))
    return `${reason}\n\nNothing is lost: npm run deploy continues where it stopped.`;
  return error instanceof Error ? (error.stack ?? reason) : reason;
}

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "TimeoutError";
