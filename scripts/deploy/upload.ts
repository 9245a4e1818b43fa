import { spawn } from "node:child_process";
import { root, wranglerBin, wranglerEnv } from "../dev/paths.ts";
import { DeployProblem } from "./deploy-problem.ts";

export type Upload = Readonly<{
  /** The Worker's name in the account. */
  name: string;
  configPath: string;
  /** A file with the secrets to set in the same version; the Worker keeps its others. */
  secretsPath: string | null;
  accountId: string;
}>;

/** Builds a Worker and uploads it with its secrets, schedules and queue consumers. */
export type UploadWorker = (upload: Upload) => Promise<void>;

/** Uploads with wrangler, whose output is shown when it fails. */
export const uploadWithWrangler: UploadWorker = ({ name, configPath, secretsPath, accountId }) => {
  const secrets = secretsPath === null ? [] : ["--secrets-file", secretsPath];
  const child = spawn(process.execPath, [wranglerBin, "deploy", "-c", configPath, ...secrets], {
    cwd: root,
    env: { ...process.env, ...wranglerEnv, CLOUDFLARE_ACCOUNT_ID: accountId },
    // Without a terminal wrangler takes the default of every question.
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new DeployProblem(`${output.join("").trim()}\n\n${name} was not deployed.`));
    });
  });
};
