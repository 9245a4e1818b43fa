import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/components.css";
import "./ui/form.css";
import "./ui/table.css";
import "./ui/overlay.css";
import "./shell/shell.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query-client.ts";
import { createConsoleRouter } from "./router.tsx";
import { applyTheme, readTheme } from "./shell/theme.ts";
import { ToastProvider } from "./ui/toast.tsx";

applyTheme(readTheme());

const queryClient = createQueryClient(() => void router.invalidate());
const router = createConsoleRouter(queryClient);

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
