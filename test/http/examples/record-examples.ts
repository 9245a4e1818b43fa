import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { holdListSyncs } from "../../support/hold-list-syncs.ts";
import { smallestExport } from "../../support/smallest-export.ts";
import { type ApiResponse, createBusiness, dataOf, merchant } from "../../support/world.ts";
import {
  advanceClock,
  createFaultWorld,
  type FaultWorld,
  type ShopState,
} from "../faults/create-fault-world.ts";
import { startRecordingEffects, stopRecordingEffects } from "../faults/effects.ts";
import { shortLivedFirst } from "../faults/requests.ts";
import type { FuzzedRequest } from "../fuzz/requests.ts";
import { listOperations, type Operation } from "../operations.ts";
import { createNormalizer } from "./normalize-example.ts";
import { candidateRequests, preparingCalls } from "./requests.ts";

/** The folder of each API, by the beginning of its paths. */
const folders = [
  ["/api/v1", "storefront"],
  ["/v1/link", "link"],
  ["/v1/", "business"],
] as const;

const operations = shortLivedFirst(await listOperations());

holdListSyncs();

let world: FaultWorld;
let base: ShopState;
let linkContacts: readonly string[];

beforeAll(async () => {
  world = await createFaultWorld();
  // Tests need higher limits and more stock than a shop has.
  await env.CORE.prepare("update businesses set settings = '{}'").run();
  await env.SHOP_1.prepare(
    "update stock_levels set quantity_on_hand = 50 where quantity_on_hand > 50",
  ).run();
  base = await world.readState();
  advanceClock(7_000); // past the caches; no call happens at a full minute
  startRecordingEffects();
  const { answer } = await sendFirst("GET /v1/link/contacts");
  linkContacts = dataOf(answer).map(({ contact }: { contact: string }) => contact);
}, 60_000);

/**
 * Records a request and its response of every operation. `npm run openapi:examples` writes them into
 * the files from which the OpenAPI documents take their examples.
 */
it("records an example of every operation", async () => {
  const examples = new Map<string, object>();
  for (const operation of operations) {
    if (operation.path.endsWith("/ws")) continue;
    const isImport = operation.operationId === "importBusiness";
    examples.set(operation.id, await (isImport ? recordImport() : recordExample(operation)));
    await world.restore(base, await world.readState(base));
  }
  stopRecordingEffects();
  for (const [, folder] of folders) {
    const own = operations.filter(({ path }) => folderOf(path) === folder);
    await expect(moduleOf(own, examples)).toMatchFileSnapshot(
      `../../../functions/${folder}/examples/generated.ts`,
    );
  }
});

const folderOf = (path: string) => folders.find(([prefix]) => path.startsWith(prefix))?.[1];

/**
 * The module with the examples of an API as JSON: one line for each operation, and operations on
 * the same noun together, because their bodies are alike and then take fewer bytes in a bundle.
 */
function moduleOf(operations: readonly Operation[], examples: ReadonlyMap<string, object>): string {
  const nounOf = (line: string) => line.replace(/^"[a-z]+/, "");
  const lines = operations
    .flatMap(({ id, operationId }) => {
      const example = JSON.stringify(examples.get(id) ?? {});
      return example === "{}" ? [] : [`"${operationId}":${example}`];
    })
    .toSorted((one, other) => (nounOf(one) < nounOf(other) ? -1 : 1));
  if (/`|\$\{/.test(lines.join())) throw new Error("String.raw cannot hold an example.");
  return `// Written by npm run openapi:examples.\nexport const examples = String.raw\`{\n${lines.join(",\n")}\n}\`;\n`;
}

async function recordExample(operation: Operation): Promise<object> {
  for (const { id, request } of preparingCalls(operation, linkContacts))
    await sendFirst(id, request);
  const calls: { request: FuzzedRequest; answer: ApiResponse }[] = [];
  const refusals: string[] = [];
  for (const request of candidateRequests(operation)) {
    const { answer } = await world.ask(operation, request, { key: null });
    if (answer.status >= 300) refusals.push(`${answer.status} ${JSON.stringify(answer.body)}`);
    else calls.push({ request, answer });
    if (calls.length > 0 && operation.method !== "GET") break;
  }
  // Of several reads, the one whose response shows most.
  const [call] = calls.toSorted((one, other) => sizeOf(other.answer) - sizeOf(one.answer));
  if (!call) throw new Error(`${operation.id} did not succeed: ${refusals.join("; ")}`);
  return Object(createNormalizer(Date.now())(bodiesOf(operation, call)));
}

/** Imports into a business of its own: that of the other examples is not empty. */
async function recordImport(): Promise<object> {
  const headers = { "Content-Type": "application/x-ndjson" };
  const options = { rawBody: smallestExport, headers };
  const answer = await merchant(await createBusiness())("POST", "/imports/business", options);
  expect(answer.status).toBe(201);
  return Object(createNormalizer(Date.now())({ response: answer.body }));
}

const sizeOf = ({ body }: ApiResponse): number => JSON.stringify(body).length;

/** The bodies of a call, without pages and forms. */
function bodiesOf(
  { content }: Operation,
  { request, answer }: Readonly<{ request: FuzzedRequest; answer: ApiResponse }>,
): object {
  const { rawBody } = world.withIds(request);
  const type = answer.headers.get("Content-Type") ?? "";
  return {
    ...(rawBody !== undefined &&
      ("application/json" in content
        ? { request: JSON.parse(rawBody) }
        : "text/csv" in content && { request: rawBody })),
    ...(/^(?:application\/json|text\/csv)/.test(type) && { response: answer.body }),
  };
}

/** Sends a request to an operation, by default its first. */
async function sendFirst(id: string, request?: FuzzedRequest) {
  const operation = operations.find((one) => one.id === id);
  const [sample] = operation ? candidateRequests(operation) : [];
  const sent = request ?? sample;
  if (!operation || !sent) throw new Error(`There is no ${id}.`);
  return world.ask(operation, sent, { key: null });
}
