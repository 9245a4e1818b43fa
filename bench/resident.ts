import { readdirSync, readFileSync } from "node:fs";

/** A clock tick of /proc, on every Linux there is. */
const ticksPerSecond = 100;

/** Resident memory of the workerd processes that this one started, in MB; Linux alone tells, elsewhere it is 0. */
export const residentMb = (): number =>
  sum(ownPids().map((pid) => kilobytesOf(read(`/proc/${pid}/status`)))) / 1_024;

/** The CPU that they took since they were started; as above. */
export const workerdCpuSeconds = (): number =>
  sum(ownPids().map((pid) => ticksOf(read(`/proc/${pid}/stat`)))) / ticksPerSecond;

function ownPids(): string[] {
  const pids = process.platform === "linux" ? readdirSync("/proc") : [];
  return pids.filter((pid) => /^\d+$/.test(pid) && isOwn(read(`/proc/${pid}/status`)));
}

const isOwn = (status: string): boolean =>
  new RegExp(`^PPid:\\s+${process.pid}$`, "m").test(status) && /^Name:\s+workerd$/m.test(status);

const kilobytesOf = (status: string): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);

/** User and system time are the 14th and 15th fields; the second is a name in brackets. */
function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/** Empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
