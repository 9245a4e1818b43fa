import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "../../scripts/dev/paths.ts";
import { findWorkerProcesses, sendSignal } from "../../scripts/serve/state/processes.ts";
import { operatorToken } from "../runtime.ts";

export type ServerProcess = Readonly<{
  origin: URL;
  /** Milliseconds from the start of the process to the first response of the API. */
  startMs: number;
  /** Kills the server, which takes workerd with it, or workerd alone. */
  kill(victim: "server" | "workerd"): Promise<void>;
  /** Ends the server by SIGTERM. @throws Error when it does not exit with 0. */
  stop(): Promise<void>;
  /** Lines of the log that tell of a failure. */
  failures(): readonly string[];
}>;

const startTimeoutMs = 60_000;
const pollMs = 20;

/** Finds a port that is free now, because a server that is started again needs the same one. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
  return address.port;
}

/** Starts `npm run serve` and waits until its API responds. */
export async function startServer(stateDir: string, port: number): Promise<ServerProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(root, "scripts/serve.ts")], {
    cwd: root,
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), STATE_DIR: stateDir },
      OPERATOR_TOKEN: operatorToken,
      REQUESTS_PER_SECOND_PER_ADDRESS: "1000000",
      REQUEST_LOG: "off",
      TRUSTED_PROXY: "127.0.0.1", // clients of a benchmark name addresses of their own
      ALLOW_LOCAL_WEBHOOKS: "true", // the receiver is on this machine
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const killChild = () => void child.kill("SIGKILL");
  process.once("exit", killChild);
  child.once("exit", () => process.off("exit", killChild));
  const failures: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (process.env.PROOF_LOG) process.stderr.write(text);
    failures.push(...text.split("\n").filter((line) => /"level":"(?:warn|error)"/.test(line)));
  });
  const origin = new URL(`http://127.0.0.1:${port}`);
  await waitForResponse(new URL("/api/v1/healthz", origin), child, failures);
  return {
    origin,
    startMs: performance.now() - started,
    failures: () => failures,
    async kill(victim) {
      const exited = once(child, "exit");
      if (victim === "server") {
        child.kill("SIGKILL");
        await exited;
        return;
      }
      const workers = findWorkerProcesses(stateDir);
      for (const pid of workers) sendSignal(pid, "SIGKILL");
    },
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      const [code] = await exited;
      if (code !== 0) throw new Error(`The server exited with ${code}.`);
    },
  };
}

/** Waits until the API responds with 200. */
export async function waitForResponse(
  url: URL,
  child: ChildProcess | null = null,
  failures: readonly string[] = [],
): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const response = await fetch(url, { headers: { Connection: "close" } }).catch(() => null);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    const hasExited = child !== null && child.exitCode !== null;
    if (hasExited || performance.now() > deadline)
      throw new Error(`The server did not start:\n${failures.join("\n")}`);
    await pause(pollMs);
  }
}
