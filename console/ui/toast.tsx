import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { messageOf } from "./use-form.ts";

type Toast = Readonly<{ id: number; text: string; tone: "normal" | "danger" }>;

type Toasts = Readonly<{
  show: (text: string) => void;
  showError: (error: unknown) => void;
}>;

const ToastContext = createContext<Toasts>({ show: () => {}, showError: () => {} });

/** Short messages about what was done, which disappear by themselves. */
export const useToasts = (): Toasts => useContext(ToastContext);

const shownMs = { normal: 4000, danger: 9000 } as const;
let lastId = 0;

export function ToastProvider({ children }: Readonly<{ children: ReactNode }>) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const add = useCallback((text: string, tone: Toast["tone"]) => {
    lastId += 1;
    const id = lastId;
    setToasts((before) => [...before.slice(-2), { id, text, tone }]);
    setTimeout(
      () => setToasts((before) => before.filter((toast) => toast.id !== id)),
      shownMs[tone],
    );
  }, []);
  const value = useMemo<Toasts>(
    () => ({
      show: (text) => add(text, "normal"),
      showError: (error) => add(messageOf(error), "danger"),
    }),
    [add],
  );
  return (
    <ToastContext value={value}>
      {children}
      <div className="toasts no-print" role="status" aria-live="polite">
        {toasts.map(({ id, text, tone }) => (
          <div key={id} className={`toast ${tone}`}>
            {text}
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
