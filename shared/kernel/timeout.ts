/**
 * Creates an `AbortSignal` that aborts after `ms`, and a function that cancels the timer.
 * `AbortSignal.timeout` is not used, because its timer cannot be cancelled and would keep a
 * finished call running.
 */
export function createTimeout(ms: number): Readonly<{ signal: AbortSignal; clear: () => void }> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException("No response in time", "TimeoutError")),
    ms,
  );
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
