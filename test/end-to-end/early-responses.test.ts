import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { transform } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BareRuntime, startBareWorkers } from "../../bench/bare-workers.ts";
import { root } from "./dev-process.ts";

const mebibyte = 1024 * 1024;
let runtime: BareRuntime;

/** workerd with a front Worker, and a Worker that refuses every call before it reads the body. */
beforeAll(async () => {
  const source = readFileSync(join(root, "functions/http/discard-body.ts"), "utf8");
  const { code } = await transform(source, { loader: "ts" });
  const refuse = `${code}
    export default {
      async fetch(request) {
        const response = new Response("refused", { status: 401 });
        await discardUnreadBody(request);
        return response;
      },
    };`;
  const front = "export default { fetch: (request, { API }) => API.fetch(request) };";
  runtime = await startBareWorkers([
    { name: "front", script: front, serviceBindings: { API: "api" } },
    { name: "api", script: refuse },
  ]);
});

afterAll(() => runtime?.stop());

/** Sends a body on the agent's one connection. Returns the status, or the error of the connection. */
const post = (agent: Agent, bytes: number) =>
  new Promise<number | string>((resolve) => {
    const { hostname: host, port } = runtime.origin;
    const headers = { "Content-Type": "text/csv", "Content-Length": bytes };
    const sent = request({ agent, host, port, method: "POST", headers }, (response) => {
      response.on("error", (error) => resolve(String(error)));
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", (error) => resolve(String(error))).end(Buffer.alloc(bytes, "x"));
  });

it.each([1, 4, 20])(
  "a refusal reaches a client that sends %d MiB, and so does that of its next call",
  async (size) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answers = [];
    for (let count = 0; count < 5; count += 1) answers.push(await post(agent, size * mebibyte));
    agent.destroy();
    expect(answers).toEqual([401, 401, 401, 401, 401]);
  },
);
