import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second. Linux counts CPU time in /proc in this unit. */
const ticksPerSecond = 100;

/** Resident memory of processes in MB; 0 when the system is not Linux. */
export const memoryMbOf = (pids: readonly number[]): number =>
  sum(pids.map((pid) => kilobytesOf(readProcFile(`/proc/${pid}/status`)))) / 1_024;

/** CPU seconds of processes since their start; 0 when the system is not Linux. */
export const cpuSecondsOf = (pids: readonly number[]): number =>
  sum(pids.map((pid) => ticksOf(readProcFile(`/proc/${pid}/stat`)))) / ticksPerSecond;

/** The workerd processes that this process started; none when the system is not Linux. */
export function listWorkerdChildren(): number[] {
  const names = process.platform === "linux" ? readdirSync("/proc") : [];
  return names
    .filter((name) => /^\d+$/.test(name) && isChildWorkerd(readProcFile(`/proc/${name}/status`)))
    .map(Number);
}

const isChildWorkerd = (status: string): boolean =>
  new RegExp(`^PPid:\\s+${process.pid}$`, "m").test(status) && /^Name:\s+workerd$/m.test(status);

const kilobytesOf = (status: string): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);

/**
 * User and system time in clock ticks, the fields 14 and 15 of /proc/<pid>/stat. Counts from the
 * last bracket, because field 2 is a name in brackets that may contain spaces.
 */
function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Reads a file of /proc. Empty when the process has exited in the meantime. */
function readProcFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
