import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const command = join(dirname(createRequire(import.meta.url).resolve("@shopify/ucp-cli")), "bin.js");

/** The releases of the protocol that the command knows. */
export type CliRelease = "2026-04-08" | "2026-08-25";

export type CliSettings = Readonly<{
  /** The folder of its profiles and caches. */
  home: string;
  business: string;
  proxyUrl: string;
  authority: string;
}>;

/** Runs a command of `ucp` and returns what it prints. A failed one says so in `error`. */
export async function runUcp(
  { home, business, proxyUrl, authority }: CliSettings,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, [command, ...args, "--format", "json"], {
    env: {
      PATH: process.env.PATH,
      UCP_HOME: home,
      UCP_BUSINESS: business,
      HTTPS_PROXY: proxyUrl,
      NODE_EXTRA_CA_CERTS: authority,
      // For the profile, which is at an address of this machine.
      UCP_TEST_ALLOW_INSECURE_LOCALHOST: "true",
    },
  }).catch((failure: unknown) => {
    const { stdout = "", stderr = "" } = Object(failure);
    throw new Error(`ucp ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
  });
  return JSON.parse(stdout);
}

export type ProfileServer = Readonly<{ url: string; stop(): Promise<void> }>;

/** Serves the command's own profile of a release, which the business reads. */
export async function serveProfile(
  settings: CliSettings,
  release: CliRelease,
): Promise<ProfileServer> {
  const file = join(settings.home, "profiles", release, "profile.json");
  const server = createServer((_, response) =>
    response
      .writeHead(200, { "Content-Type": "application/json", "Cache-Control": "max-age=60" })
      .end(readFileSync(file)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Safe: a server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}/agent.json`;
  await runUcp(
    settings,
    ...["profile", "init", "--name", release, "--version", release],
    ...["--profile-url", url, "--activate"],
  );
  return { url, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}
