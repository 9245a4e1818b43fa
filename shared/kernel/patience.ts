/**
 * As `AbortSignal.timeout`, but it can end: that one keeps its timer, and the whole call with it,
 * until its time is over, also when the answer came at once.
 */
export function patienceOf(ms: number): Readonly<{ signal: AbortSignal; end: () => void }> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException("No answer in time", "TimeoutError")),
    ms,
  );
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}
