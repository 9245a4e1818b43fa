import { asRecord, asText } from "../api-client.ts";

/** A CPU profile as V8 writes it: a tree of calls, and which of them ran at each sample. */
export type Profile = Readonly<{
  nodes: readonly ProfileNode[];
  samples: readonly number[];
  /** Microseconds since the sample before. */
  timeDeltas: readonly number[];
}>;

type ProfileNode = Readonly<{
  id: number;
  callFrame: Readonly<{ functionName: string; lineNumber: number }>;
  children?: readonly number[];
}>;

export type CpuProfile = Readonly<{ worker: string; profile: Profile }>;

const samplingIntervalUs = 200;

/**
 * Starts a profile of every Worker. The returned function stops them.
 *
 * @param port of workerd's inspector.
 */
export async function startProfiles(port: number): Promise<() => Promise<CpuProfile[]>> {
  const response = await fetch(`http://127.0.0.1:${port}/json`);
  const targets: unknown = await response.json();
  if (!Array.isArray(targets)) throw new Error("The inspector lists no Workers.");
  const inspectors = await Promise.all(
    targets
      .map(asRecord)
      .map(({ id }) => asText(id))
      .filter((id) => id.startsWith("core:user:"))
      .map(async (id) => ({ worker: id.slice("core:user:".length), ...(await connect(port, id)) })),
  );
  for (const { call } of inspectors) {
    await call("Profiler.enable");
    await call("Profiler.setSamplingInterval", { interval: samplingIntervalUs });
    await call("Profiler.start");
  }
  return () =>
    Promise.all(
      inspectors.map(async ({ worker, call, close }) => {
        const { profile } = asRecord(await call("Profiler.stop"));
        close();
        // Safe: this is what V8 answers to Profiler.stop.
        return { worker, profile: profile as Profile };
      }),
    );
}

async function connect(port: number, id: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${id}`);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const pending = new Map<unknown, (result: unknown) => void>();
  let lastId = 0;
  socket.addEventListener("message", ({ data }) => {
    const message = asRecord(JSON.parse(String(data)));
    pending.get(message.id)?.(message.result);
    pending.delete(message.id);
  });
  return {
    call(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
      lastId += 1;
      const callId = lastId;
      const result = new Promise<unknown>((resolve) => pending.set(callId, resolve));
      socket.send(JSON.stringify({ id: callId, method, params }));
      return result;
    },
    close: () => socket.close(),
  };
}

type FunctionTime = Readonly<{ name: string; ms: number }>;

/** The time of each function by itself and with the functions that it calls, longest first. */
export function summarize({ nodes, samples, timeDeltas }: Profile): Readonly<{
  busyMs: number;
  self: readonly FunctionTime[];
  inclusive: readonly FunctionTime[];
}> {
  const nodeById = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(
    nodes.flatMap(({ id, children = [] }) =>
      children.map((child): [number, number] => [child, id]),
    ),
  );
  const self = new Map<string, number>();
  const inclusive = new Map<string, number>();
  let busyMs = 0;
  for (const [index, id] of samples.entries()) {
    const ms = (timeDeltas[index] ?? 0) / 1_000;
    const node = nodeById.get(id);
    if (!node || isIdle(node)) continue;
    busyMs += ms;
    add(self, nameOf(node), ms);
    const counted = new Set<string>();
    for (let at: ProfileNode | undefined = node; at; at = nodeById.get(parentOf.get(at.id) ?? -1)) {
      const name = nameOf(at);
      if (!counted.has(name)) add(inclusive, name, ms);
      counted.add(name);
    }
  }
  return { busyMs, self: longestFirst(self), inclusive: longestFirst(inclusive) };
}

const isIdle = ({ callFrame }: ProfileNode): boolean =>
  ["(idle)", "(program)", "(root)"].includes(callFrame.functionName);

const nameOf = ({ callFrame: { functionName, lineNumber } }: ProfileNode): string =>
  `${functionName || "(anonymous)"}${lineNumber >= 0 ? `:${lineNumber + 1}` : ""}`;

const add = (sums: Map<string, number>, name: string, ms: number): void =>
  void sums.set(name, (sums.get(name) ?? 0) + ms);

const longestFirst = (sums: ReadonlyMap<string, number>): FunctionTime[] =>
  [...sums].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
