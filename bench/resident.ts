import { readdirSync, readFileSync } from "node:fs";

/** Resident memory of the workerd processes that this one started, in MB; Linux alone tells, elsewhere it is 0. */
export function residentMb(): number {
  const pids = process.platform === "linux" ? readdirSync("/proc") : [];
  const kilobytes = pids.map((pid) => {
    const status = /^\d+$/.test(pid) ? statusOf(pid) : "";
    const isOurs = new RegExp(`^PPid:\\s+${process.pid}$`, "m").test(status);
    if (!isOurs || !/^Name:\s+workerd$/m.test(status)) return 0;
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_024;
}

/** Empty for a process that has ended meanwhile. */
function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
