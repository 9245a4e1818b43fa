import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Variables } from "./settings.ts";
import { writeFileDurably } from "./state/write-file.ts";

export type Secrets = Readonly<{
  variables: Variables;
  /** The operator's token when it was drawn just now, to be shown once. */
  newOperatorToken: string | null;
}>;

export const secretsFile = (stateDir: string): string => join(stateDir, "secrets.env");

const generators = {
  SESSION_SECRET: () => randomToken(),
  WEBHOOK_SIGNING_SECRET: () => randomToken(),
  CREDENTIALS_KEY: () => `k1:${randomBytes(32).toString("base64")}`,
  OPERATOR_TOKEN: () => randomToken(),
} as const;

/**
 * Reads the secrets that neither the environment nor an earlier start has set, and draws those that
 * are missing. What is drawn is stored before it is used, because sessions and stored credentials
 * depend on it.
 */
export function loadSecrets(stateDir: string, environment: Variables): Secrets {
  const file = secretsFile(stateDir);
  const stored = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  const missing = Object.entries(generators).filter(
    ([name]) => !environment[name] && !stored[name],
  );
  const drawn = Object.fromEntries(missing.map(([name, generate]) => [name, generate()]));
  const all = { ...stored, ...drawn };
  if (missing.length > 0) {
    const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`);
    writeFileDurably(file, lines.join(""));
  }
  const known = Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return {
    variables: { ...Object.fromEntries(known), ...environment },
    newOperatorToken: drawn.OPERATOR_TOKEN ?? null,
  };
}

const randomToken = (): string => randomBytes(32).toString("base64url");
