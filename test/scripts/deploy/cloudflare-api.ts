import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import {
  type AccountState,
  deployVersion,
  type Queue,
  Refusal,
  runSql,
  type Script,
  storeVersion,
} from "./cloudflare-account.ts";

export const accountId = "0123456789abcdef0123456789abcdef";

type Call = Readonly<{ request: Request; url: URL; params: readonly string[] }>;
type Route = Readonly<{
  method: string;
  path: RegExp;
  handle(state: AccountState, call: Call): unknown;
}>;

const route = (method: string, path: string, handle: Route["handle"]): Route => ({
  method,
  path: new RegExp(`^/accounts/${accountId}${path.replaceAll("*", "([^/]+)")}$`),
  handle,
});

const notFound = new Refusal(404, 10007, "This Worker does not exist on your account.");
const pad = (number: number): string => String(number).padStart(12, "0");

function requireScript({ scripts }: AccountState, { params: [name = ""] }: Call): Script {
  const script = scripts.get(name);
  if (!script) throw notFound;
  return script;
}

const Consumer = z.record(z.string(), z.unknown());
const Versions = z.object({ versions: z.array(z.object({ version_id: z.string() })) });
const Origins = z.object({ origins: z.array(z.object({ hostname: z.string() })) });
const Metadata = z.object({
  bindings: z.array(
    z.looseObject({ type: z.string(), name: z.string(), text: z.string().optional() }),
  ),
  keep_bindings: z.array(z.string()).optional(),
  migrations: z.object({ new_tag: z.string() }).optional(),
});

const readBody = async <T>(request: Request, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await request.json());

/** Wrangler sends the bindings of an upload in a part of its form. */
const readMetadata = async ({ request }: Call) =>
  Metadata.parse(JSON.parse(String((await request.formData()).get("metadata"))));

const viewQueue = (name: string, { id, consumers }: Queue) => ({
  queue_id: id,
  queue_name: name,
  consumers: consumers.map((consumer) => ({
    consumer_id: consumer.id,
    type: "worker",
    script: consumer.body.script_name,
  })),
});

/** The part of Cloudflare's API that a deployment and wrangler call. */
const routes: readonly Route[] = [
  route("GET", "/d1/database", ({ databases }) =>
    [...databases].map(([name, { id }]) => ({ name, uuid: id })),
  ),
  route("POST", "/d1/database", async ({ databases }, { request }) => {
    const { name } = await readBody(request, z.object({ name: z.string() }));
    if (databases.has(name)) throw new Refusal(400, 7502, "A database with that name exists.");
    const id = `10000000-0000-4000-8000-${pad(databases.size)}`;
    databases.set(name, { id, sqlite: new DatabaseSync(":memory:") });
    return { uuid: id, name };
  }),
  route("POST", "/d1/database/*/query", async ({ databases }, { request, params: [id] }) => {
    const database = [...databases.values()].find((one) => one.id === id);
    if (!database) throw new Refusal(404, 7404, "The database does not exist.");
    const { sql } = await readBody(request, z.object({ sql: z.string() }));
    return runSql(database.sqlite, sql);
  }),
  route("GET", "/r2/buckets/*", ({ buckets }, { params: [name = ""] }) => {
    if (!buckets.has(name)) throw new Refusal(404, 10006, "The bucket does not exist.");
    return { name };
  }),
  route("POST", "/r2/buckets", async ({ buckets }, { request }) => {
    const { name } = await readBody(request, z.object({ name: z.string() }));
    if (buckets.has(name)) throw new Refusal(409, 10004, "The bucket exists.");
    buckets.add(name);
    return { name };
  }),
  route("GET", "/queues", ({ queues }, { url }) => {
    const names = url.searchParams.getAll("name");
    return [...queues]
      .filter(([name]) => names.length === 0 || names.includes(name))
      .map(([name, queue]) => viewQueue(name, queue));
  }),
  route("POST", "/queues", async ({ queues }, { request }) => {
    const { queue_name: name } = await readBody(request, z.object({ queue_name: z.string() }));
    if (queues.has(name)) throw new Refusal(409, 11009, "The queue exists.");
    queues.set(name, { id: `queue-${queues.size}`, consumers: [] });
    return { queue_name: name };
  }),
  route("POST", "/queues/*/consumers", async ({ queues }, { request, params: [id] }) => {
    const queue = [...queues.values()].find((one) => one.id === id);
    const body = await readBody(request, Consumer);
    if (!queue || queue.consumers.length > 0)
      throw new Refusal(400, 11004, "The queue has a consumer.");
    queue.consumers.push({ id: "consumer", body });
    return {};
  }),
  route("PUT", "/queues/*/consumers/*", async ({ queues }, { request, params: [id] }) => {
    const queue = [...queues.values()].find((one) => one.id === id);
    const body = await readBody(request, Consumer);
    queue?.consumers.splice(0, 1, { id: "consumer", body });
    return {};
  }),
  route("GET", "/workers/subdomain", ({ subdomain }) => {
    if (subdomain.name === null) throw new Refusal(404, 10007, "There is no subdomain.");
    return { subdomain: subdomain.name };
  }),
  route("PUT", "/workers/subdomain", async ({ subdomain }, { request }) => {
    const body = await readBody(request, z.object({ subdomain: z.string() }));
    subdomain.name = body.subdomain;
    return body;
  }),
  route("GET", "/workers/domains", ({ scripts }, { url }) => {
    const requested = url.searchParams.get("service");
    return [...scripts]
      .filter(([service]) => requested === null || service === requested)
      .flatMap(([service, { domains }]) => domains.map((hostname) => ({ hostname, service })));
  }),
  route("GET", "/workers/services/*", (state, call) => {
    const { migrationTag } = requireScript(state, call);
    const script = {
      tag: "tag",
      tags: [],
      last_deployed_from: "wrangler",
      ...(migrationTag !== null && { migration_tag: migrationTag }),
    };
    return { default_environment: { environment: "production", script } };
  }),
  route("GET", "/workers/workers/*", (state, call) => {
    const { isAtWorkersDev } = requireScript(state, call);
    return { subdomain: { enabled: isAtWorkersDev, previews_enabled: false } };
  }),
  route("GET", "/workers/scripts/*/secrets", (state, call) =>
    requireScript(state, call)
      .bindings.filter(({ type }) => type === "secret_text")
      .map(({ name, type }) => ({ name, type })),
  ),
  route("GET", "/workers/scripts/*/settings", (state, call) => ({
    bindings: requireScript(state, call).bindings.map(({ type, name, text }) => ({
      type,
      name,
      ...(type === "plain_text" && { text }),
    })),
  })),
  route("GET", "/workers/scripts/*/deployments", (state, call) => {
    const { versions } = requireScript(state, call);
    const deployed = versions.filter(({ isDeployed }) => isDeployed);
    return {
      deployments: deployed.map(({ id }) => ({
        id,
        versions: [{ version_id: id, percentage: 100 }],
      })),
    };
  }),
  route("PUT", "/workers/scripts/*", async (state, call) => {
    const {
      params: [name = ""],
    } = call;
    const id = storeVersion(state, name, await readMetadata(call));
    deployVersion(requireScript(state, call), id);
    return { id: name, etag: id, deployment_id: id.replaceAll("-", ""), startup_time_ms: 5 };
  }),
  route("POST", "/workers/scripts/*/versions", async (state, call) => {
    const {
      params: [name = ""],
    } = call;
    requireScript(state, call);
    const id = storeVersion(state, name, await readMetadata(call));
    return { id, resources: { script: { etag: id } }, startup_time_ms: 5 };
  }),
  route("POST", "/workers/scripts/*/deployments", async (state, call) => {
    const { versions } = await readBody(call.request, Versions);
    deployVersion(requireScript(state, call), versions[0]?.version_id ?? "");
    return { id: "deployment" };
  }),
  route("PATCH", "/workers/scripts/*/script-settings", (state, call) => {
    requireScript(state, call);
    return {};
  }),
  route("POST", "/workers/scripts/*/subdomain", async (state, call) => {
    const { enabled } = await readBody(call.request, z.object({ enabled: z.boolean() }));
    requireScript(state, call).isAtWorkersDev = enabled;
    return { enabled, previews_enabled: false };
  }),
  route("PUT", "/workers/scripts/*/schedules", async (state, call) => {
    const schedules = await readBody(call.request, z.array(z.object({ cron: z.string() })));
    requireScript(state, call).schedules = schedules.map(({ cron }) => cron);
    return { schedules };
  }),
  route("POST", "/workers/scripts/*/domains/changeset", () => ({
    added: [],
    removed: [],
    updated: [],
    conflicting: [],
  })),
  route("PUT", "/workers/scripts/*/domains/records", async (state, call) => {
    const { origins } = await readBody(call.request, Origins);
    requireScript(state, call).domains = origins.map(({ hostname }) => hostname);
    return {};
  }),
  route("POST", "/workers/scripts/*/assets-upload-session", () => ({
    jwt: "uploaded",
    buckets: [],
  })),
];

/** Answers a request to Cloudflare's API. */
export async function respond(state: AccountState, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname.replace(/^\/client\/v4/, "");
  try {
    if (path === "/accounts") return envelope([{ id: accountId, name: "Test" }]);
    for (const { method, path: pattern, handle } of routes) {
      const params = pattern.exec(path)?.slice(1);
      if (params && method === request.method)
        return envelope(await handle(state, { request, url, params }));
    }
    throw new Refusal(404, 7003, `There is no ${request.method} ${path}.`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message } = error;
    const body = { success: false, errors: [{ code, message }], messages: [], result: null };
    return Response.json(body, { status });
  }
}

const envelope = (result: unknown): Response =>
  Response.json({ success: true, errors: [], messages: [], result });
