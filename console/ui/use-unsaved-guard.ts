import { useBlocker } from "@tanstack/react-router";

/** Lets the reader confirm before a page with unsaved changes is left or the window is closed. */
export function useUnsavedGuard(isDirty: boolean): void {
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    // A change of filters or tabs stays on the page.
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname &&
      !window.confirm("Leave this page? Your changes are not saved."),
  });
}
