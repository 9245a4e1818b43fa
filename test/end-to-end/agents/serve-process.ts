import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "../dev-process.ts";

const readyTimeoutMs = 120_000;

export const operatorToken = "operator-token-of-the-agents";

export type ServeProcess = Readonly<{ url: URL; stop(): Promise<void> }>;

/** Starts `npm run serve` behind a trusted proxy of this machine and waits until it is ready. */
export async function startServe(stateDir: string): Promise<ServeProcess> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [join(root, "scripts/serve.ts")], {
    cwd: root,
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), STATE_DIR: stateDir },
      OPERATOR_TOKEN: operatorToken,
      TRUSTED_PROXY: "127.0.0.1",
      REQUESTS_PER_SECOND_PER_ADDRESS: "1000",
      ALLOW_LOCAL_WEBHOOKS: "true", // the profile is on this machine
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const killChild = () => void child.kill("SIGKILL");
  process.once("exit", killChild);
  child.once("exit", () => process.off("exit", killChild));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const url = new URL(`http://127.0.0.1:${port}`);
  const deadline = performance.now() + readyTimeoutMs;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`npm run serve did not start:\n${output}`);
    }
    await pause(100);
  }
  return {
    url,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
  return address.port;
}

const isReady = (url: URL): Promise<boolean> =>
  fetch(new URL("/readyz", url)).then(
    async ({ ok, body }) => {
      await body?.cancel();
      return ok;
    },
    () => false,
  );
