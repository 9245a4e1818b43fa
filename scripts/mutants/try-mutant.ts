import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** How a run of test files ended; null when the time was over. */
type TestRun = Readonly<{ failed: string | null }> | null;

export type Verdict = Readonly<{
  /**
   * caught: a test failed. survived: all tests that load the file passed. undecided: the tests that
   * ran within the limits passed.
   */
  type: "caught" | "survived" | "undecided";
  detail: string;
}>;

/** The first files are the likeliest to fail, so few of them run at first. */
const stageSizes = [3, 9];
const laterStageSize = 30;

let running: ChildProcess | null = null;

/** Ends the tests that run, with all of their processes. */
export function stopTests(): void {
  if (running?.pid === undefined || running.exitCode !== null) return;
  try {
    process.kill(-running.pid, "SIGKILL");
  } catch {
    // The tests have ended meanwhile.
  }
}

type TestSelection = Readonly<{ tests: readonly string[]; maxTests: number; timeLimitMs: number }>;

/** Runs the tests in the folder, stage by stage, until one fails or the time is over. */
export async function tryMutant(
  folder: string,
  { tests, maxTests, timeLimitMs }: TestSelection,
): Promise<Verdict> {
  const deadline = performance.now() + timeLimitMs;
  let passed = 0;
  for (const stage of stagesOf(tests.slice(0, maxTests))) {
    const run = await runTests(folder, stage, deadline - performance.now());
    if (run === null) break;
    if (run.failed !== null) return { type: "caught", detail: run.failed };
    passed += stage.length;
  }
  const detail = `${passed} of ${tests.length} test files passed`;
  return { type: passed === tests.length ? "survived" : "undecided", detail };
}

/** Whether a test file passes. */
export async function passesTests(folder: string, file: string): Promise<boolean> {
  return (await runTests(folder, [file], Number.POSITIVE_INFINITY))?.failed === null;
}

function stagesOf(tests: readonly string[]): string[][] {
  const stages: string[][] = [];
  for (let from = 0; from < tests.length; ) {
    const size = stageSizes[stages.length] ?? laterStageSize;
    stages.push(tests.slice(from, from + size));
    from += size;
  }
  return stages;
}

/** Runs test files until the first failure. */
async function runTests(
  folder: string,
  files: readonly string[],
  timeoutMs: number,
): Promise<TestRun> {
  const report = join(folder, "mutant-report.json");
  rmSync(report, { force: true });
  const child = spawn(
    "vitest",
    ["run", "--bail=1", "--reporter=json", `--outputFile=${report}`, ...files],
    // Detached, so that one signal ends the group of its processes.
    { cwd: folder, stdio: "ignore", detached: true },
  );
  running = child;
  const ended = new Promise<boolean>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(true));
  });
  const isOver = Promise.withResolvers<false>();
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(() => isOver.resolve(false), Math.max(timeoutMs, 0))
    : undefined;
  const hasEnded = await Promise.race([ended, isOver.promise]);
  clearTimeout(timer);
  if (!hasEnded) {
    stopTests();
    await ended;
    return null;
  }
  if (child.signalCode !== null) throw new Error(`The tests were ended by ${child.signalCode}.`);
  return { failed: child.exitCode === 0 ? null : failureIn(report, folder) };
}

type Report = Readonly<{
  testResults: readonly Readonly<{
    name: string;
    status: string;
    assertionResults: readonly Readonly<{ status: string; fullName: string }>[];
  }>[];
}>;

/** The file and title of the first failed test. */
function failureIn(report: string, folder: string): string {
  if (!existsSync(report)) return "the run of the tests broke off";
  const { testResults }: Report = JSON.parse(readFileSync(report, "utf8"));
  const file = testResults.find(({ status }) => status === "failed");
  if (!file) return "an error outside the tests";
  const test = file.assertionResults.find(({ status }) => status === "failed");
  return `${file.name.slice(folder.length + 1)}: ${test?.fullName ?? "the file failed to load"}`;
}
