import { z } from "zod";
import type { Resources } from "../worker-config.ts";
import type { CloudflareApi } from "./api.ts";
import { nullWhenMissing } from "./api.ts";

/** What of a deployment's resources the account has. */
export type ExistingResources = Readonly<{
  /** The ids of the databases by name. */
  databases: ReadonlyMap<string, string>;
  buckets: ReadonlySet<string>;
  queues: ReadonlySet<string>;
}>;

const Database = z.object({ uuid: z.string(), name: z.string() });
const Queue = z.object({ queue_name: z.string() });
const Unread = z.unknown();

export async function listExistingResources(
  api: CloudflareApi,
  account: string,
  { buckets }: Resources,
): Promise<ExistingResources> {
  const [databases, queues, found] = await Promise.all([
    api.list(`${account}/d1/database`, Database),
    api.list(`${account}/queues`, Queue),
    Promise.all(
      buckets.map(async (name) => {
        const bucket = await nullWhenMissing(api.get(`${account}/r2/buckets/${name}`, Unread));
        return bucket === null ? [] : [name];
      }),
    ),
  ]);
  return {
    databases: new Map(databases.map(({ name, uuid }) => [name, uuid])),
    buckets: new Set(found.flat()),
    queues: new Set(queues.map(({ queue_name: name }) => name)),
  };
}

/** Creates a database and returns its id. */
export async function createDatabase(
  api: CloudflareApi,
  account: string,
  name: string,
  location: string | undefined,
): Promise<string> {
  const hint = location === undefined ? {} : { primary_location_hint: location };
  const { uuid } = await api.post(`${account}/d1/database`, { name, ...hint }, Database);
  return uuid;
}

export const createBucket = (api: CloudflareApi, account: string, name: string): Promise<unknown> =>
  api.post(`${account}/r2/buckets`, { name }, Unread);

export const createQueue = (api: CloudflareApi, account: string, name: string): Promise<unknown> =>
  api.post(`${account}/queues`, { queue_name: name }, Unread);
