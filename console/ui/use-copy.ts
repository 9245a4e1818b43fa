import { useToasts } from "./toast.tsx";

/** Copies a text to the clipboard, and says in a toast whether that worked. */
export function useCopy(): (text: string) => Promise<void> {
  const toasts = useToasts();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.show("Copied.");
    } catch (error) {
      toasts.showError(error);
    }
  };
}
