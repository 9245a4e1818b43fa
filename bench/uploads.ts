import { readdirSync, readFileSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { apiAt, record, text } from "../scripts/seed/api.ts";
import { operatorToken } from "./runtime.ts";
import { table } from "./table.ts";

const mib = 1_024 * 1_024;
const sizeBytes = 50 * mib;
const chunk = Buffer.alloc(64 * 1_024, "0123456789abcdef");
const sampleMs = 20;

/**
 * The largest asset that there may be, sent and read: how fast, and how much memory workerd takes
 * meanwhile. It streams, so that the memory should not grow with the bytes: several files at once cost
 * little more than one, and the one that is broken off half-way is sent again at once.
 */
export async function uploadTable(origin: URL): Promise<string> {
  const assets = await openAssets(origin);
  await send(await assets.place("warm-up"), sizeBytes);
  const broken = await assets.place("broken");
  const rows = [
    await weighed("one PUT", 1, async () => send(await assets.place("one"), sizeBytes)),
    await weighed("four PUTs at once", 4, async () => {
      const places = await Promise.all(["a", "b", "c", "d"].map(assets.place));
      await Promise.all(places.map((place) => send(place, sizeBytes)));
    }),
    await weighed("a PUT broken off half-way", 0.5, () => breakOff(broken)),
    await weighed("the same again", 1, () => send(broken, sizeBytes)),
    await weighed("one GET", 1, async () => read(await assets.confirmed(broken))),
  ];
  return table(["50 MiB file", "s", "MiB/s", "RSS before MiB", "most MiB"], rows);
}

type Place = Readonly<{ uploadId: string; address: string; url: string }>;

async function openAssets(origin: URL) {
  const businesses = `${origin.origin}/v1/businesses`;
  const made = await apiAt(businesses, { Authorization: `Bearer ${operatorToken}` }).post("", {
    name: "Files",
    mode: "test",
    currency: "GHS",
    default_country: "GH",
    timezone: "Africa/Accra",
  });
  const own = `${businesses}/${text(record(made.business).id)}/assets`;
  const headers = {
    Authorization: `Bearer ${text(record(made.keys).deploy)}`,
    "Content-Type": "application/json",
  };
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${own}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return record(await answer.json());
  };
  return {
    async place(filename: string): Promise<Place> {
      const file = { filename, content_type: "video/mp4", size_bytes: sizeBytes };
      const data = record((await post("/init", file)).data);
      return {
        uploadId: text(data.upload_id),
        address: text(data.upload_url),
        url: text(data.public_url_preview),
      };
    },
    async confirmed({ uploadId, url }: Place): Promise<string> {
      await post("/confirm", { upload_id: uploadId });
      return url;
    },
  };
}

async function send({ address }: Place, bytes: number): Promise<void> {
  const { outgoing, answered } = begin(address);
  const status = await Promise.race([answered, write(outgoing, bytes).then(() => answered)]);
  if (status !== 200) throw new Error(`PUT: ${status}`);
}

async function breakOff({ address }: Place): Promise<void> {
  const { outgoing, answered } = begin(address);
  answered.catch(() => {}); // no answer is what is wanted
  await write(outgoing, sizeBytes / 2);
  outgoing.destroy();
}

function begin(address: string): { outgoing: ClientRequest; answered: Promise<number> } {
  const outgoing = request(address, {
    method: "PUT",
    agent: false, // a connection of its own: an idle one may be closing
    headers: { "Content-Type": "video/mp4", "Content-Length": sizeBytes },
  });
  const answered = new Promise<number>((resolve, reject) => {
    outgoing.once("error", reject).once("response", (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
  });
  return { outgoing, answered };
}

async function write(outgoing: ClientRequest, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    if (outgoing.write(chunk)) continue;
    await new Promise((resolve) => outgoing.once("drain", resolve));
  }
  if (bytes === sizeBytes) outgoing.end();
}

async function read(url: string): Promise<void> {
  const { body, status } = await fetch(url);
  let bytes = 0;
  for await (const part of body ?? []) bytes += part.length;
  if (status !== 200 || bytes !== sizeBytes) throw new Error(`GET: ${status}, ${bytes} bytes`);
}

/** @param files how many times the size goes over the wire. */
async function weighed(name: string, files: number, work: () => Promise<void>): Promise<string[]> {
  const before = workerdMib();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, workerdMib());
  }, sampleMs);
  const started = performance.now();
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - started) / 1_000;
  const speed = (files * sizeBytes) / mib / seconds;
  return [name, seconds.toFixed(2), speed.toFixed(0), before.toFixed(0), most.toFixed(0)];
}

/** What workerd, which this process started, has in memory; Linux tells, others NaN. */
function workerdMib(): number {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const own = pids
      .map(statusOf)
      .filter(({ name, parent }) => name === "workerd" && parent === process.pid);
    return own.reduce((sum, { rssKib }) => sum + rssKib, 0) / 1_024;
  } catch {
    return Number.NaN;
  }
}

/** A process that ended meanwhile is nobody's. */
function statusOf(pid: string): { name: string; parent: number; rssKib: number } {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, "utf8");
    const value = (field: string) => new RegExp(`^${field}:\\s*(\\S+)`, "m").exec(lines)?.[1] ?? "";
    return { name: value("Name"), parent: Number(value("PPid")), rssKib: Number(value("VmRSS")) };
  } catch {
    return { name: "", parent: 0, rssKib: 0 };
  }
}
