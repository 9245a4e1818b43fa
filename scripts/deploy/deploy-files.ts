import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { DeployProblem } from "./deploy-problem.ts";
import type { Settings } from "./settings.ts";

/** What a deployment remembers about the environment. */
const DeployState = z.object({
  account: z.string().nullable(),
  isOperatorTokenShown: z.boolean(),
  /** The digests of the secrets that were set, by Worker and name. */
  secrets: z.record(z.string(), z.record(z.string(), z.string())),
});
export type DeployState = z.infer<typeof DeployState>;

/** The files of one environment in a folder that git ignores. Only their owner may read them. */
export type DeployFiles = Readonly<{
  settingsPath: string;
  /** The settings of the file; null while there is none. */
  readSettings(): Settings | null;
  /** Adds settings to the file, which exists from then on. */
  appendSettings(settings: Settings, heading: string): void;
  readState(): DeployState;
  writeState(state: DeployState): void;
  /** Writes a file for wrangler and returns its path. */
  writeBuildFile(name: string, content: unknown): string;
  removeBuildFile(name: string): void;
  buildFolder: string;
  /** Runs the work while no other deployment of the environment runs on this machine. */
  withLock<T>(work: () => Promise<T>): Promise<T>;
}>;

const ownerOnly = { mode: 0o600 } as const;

export function openDeployFiles(folder: string, environment: string): DeployFiles {
  const settingsPath = join(folder, `${environment}.env`);
  const statePath = join(folder, `${environment}.json`);
  const lockPath = join(folder, `${environment}.lock`);
  const buildFolder = join(folder, environment);
  mkdirSync(buildFolder, { recursive: true, mode: 0o700 });

  /** Replaces a file as a whole, so that an interruption leaves the earlier one. */
  function replaceFile(path: string, text: string): void {
    const draft = `${path}.new`;
    writeFileSync(draft, text, ownerOnly);
    chmodSync(draft, ownerOnly.mode); // an earlier draft keeps its mode
    renameSync(draft, path);
  }

  return {
    settingsPath,
    buildFolder,
    readSettings: () =>
      existsSync(settingsPath)
        ? new Map(
            Object.entries(parseEnv(readFileSync(settingsPath, "utf8"))).flatMap(definedEntry),
          )
        : null,
    appendSettings(settings, heading) {
      const present = existsSync(settingsPath) ? readFileSync(settingsPath, "utf8") : fileHeading;
      const lines = [...settings].map(([name, value]) => `${name}=${quoted(value)}\n`);
      replaceFile(settingsPath, `${present.trimEnd()}\n\n# ${heading}\n${lines.join("")}`);
    },
    readState: () =>
      existsSync(statePath)
        ? DeployState.parse(JSON.parse(readFileSync(statePath, "utf8")))
        : { account: null, isOperatorTokenShown: false, secrets: {} },
    writeState: (state) => replaceFile(statePath, `${JSON.stringify(state, null, 2)}\n`),
    writeBuildFile(name, content) {
      const path = join(buildFolder, name);
      replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
      return path;
    },
    removeBuildFile: (name) => rmSync(join(buildFolder, name), { force: true }),
    async withLock(work) {
      takeLock(lockPath, environment);
      try {
        return await work();
      } finally {
        rmSync(lockPath, { force: true });
      }
    },
  };
}

const fileHeading = `# The settings of one environment of this deployment: docs/deploy.md says what they mean.
# npm run deploy adds the secrets that it draws. Keep a copy: Cloudflare does not show them again.
`;

/** Quotes a value with a mark that it does not contain. */
function quoted(value: string): string {
  const mark = ["'", '"', "`"].find((candidate) => !value.includes(candidate));
  if (mark === undefined) throw new DeployProblem(`${value} cannot be stored. Set it by hand.`);
  return `${mark}${value}${mark}`;
}

const definedEntry = ([name, value]: [string, string | undefined]): [string, string][] =>
  value === undefined ? [] : [[name, value]];

/** Creates the lock. One that a killed process left behind is replaced. */
function takeLock(path: string, environment: string): void {
  if (existsSync(path)) {
    const owner = Number(readFileSync(path, "utf8"));
    if (isRunning(owner))
      throw new DeployProblem(
        `Process ${owner} deploys ${environment} already. Wait until it has ended.`,
      );
    rmSync(path, { force: true });
  }
  writeFileSync(path, String(process.pid), { ...ownerOnly, flag: "wx" });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Tells whether a secret is the one that was set, without another copy of it. */
export const digestOf = (value: string): string =>
  createHash("sha256").update(value).digest("hex").slice(0, 16);
