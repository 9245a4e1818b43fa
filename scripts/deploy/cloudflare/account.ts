import { spawnSync } from "node:child_process";
import { z } from "zod";
import { root, wranglerBin, wranglerEnv } from "../../dev/paths.ts";
import { DeployProblem } from "../deploy-problem.ts";
import type { CloudflareApi } from "./api.ts";

const Token = z.object({ token: z.string().min(1) });

/** The API token of the environment, or that of `wrangler login`; null when there is neither. */
export function findToken(env: NodeJS.Dict<string>): string | null {
  if (env.CLOUDFLARE_API_TOKEN) return env.CLOUDFLARE_API_TOKEN;
  const { status, stdout } = spawnSync(process.execPath, [wranglerBin, "auth", "token", "--json"], {
    cwd: root,
    env: { ...env, ...wranglerEnv },
    encoding: "utf8",
  });
  if (status !== 0) return null;
  try {
    return Token.parse(JSON.parse(stdout)).token;
  } catch {
    return null; // a global API key has no token
  }
}

export const missingToken = `No login at Cloudflare was found. Run

  npx wrangler login

or set CLOUDFLARE_API_TOKEN to a token that may edit Workers scripts, D1, R2 and Queues
(docs/deploy.md says how to create one).`;

const Account = z.object({ id: z.string(), name: z.string() });

/**
 * The account to which the environment is deployed: the one that is named, or the only one. @throws
 * DeployProblem when there are several to choose from, or when another account has the environment.
 */
export async function findAccount(
  api: CloudflareApi,
  { named, recorded }: Readonly<{ named: string | undefined; recorded: string | null }>,
): Promise<string> {
  if (named !== undefined && recorded !== null && named !== recorded)
    throw new DeployProblem(
      `This environment was deployed to the account ${recorded}, not to ${named}. Use another --env for another account.`,
    );
  const chosen = named ?? recorded;
  if (chosen !== null) return chosen;
  const accounts = await api.list("/accounts", Account);
  const [account] = accounts;
  if (account && accounts.length === 1) return account.id;
  const lines = accounts.map(({ id, name }) => `  ${id}  ${name}`);
  throw new DeployProblem(
    account
      ? `This login reaches several accounts. Set CLOUDFLARE_ACCOUNT_ID to one of them:\n\n${lines.join("\n")}`
      : "This token reaches no account. Set CLOUDFLARE_ACCOUNT_ID to the account's id.",
  );
}
