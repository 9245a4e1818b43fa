type ServerLogLevel = "info" | "warn" | "error";

/** Writes one JSON line to the log, as the Workers do. */
export function log(
  level: ServerLogLevel,
  what: string,
  facts: Readonly<Record<string, unknown>> = {},
) {
  writeLine(JSON.stringify({ time: new Date().toISOString(), level, what, ...facts }));
}

/** Writes what a Worker or workerd printed. The Workers' own lines are JSON and get the time. */
export function logWorkerLine(level: string, timestamp: number, message: string): void {
  const time = new Date(timestamp).toISOString();
  if (message.startsWith('{"level":')) writeLine(`{"time":"${time}",${message.slice(1)}`);
  else writeLine(JSON.stringify({ time, level: levelOf(level), what: "runtime", message }));
}

const levelOf = (level: string): ServerLogLevel =>
  level === "error" || level === "warn" ? level : "info";

const writeLine = (line: string): void => void process.stdout.write(`${line}\n`);
