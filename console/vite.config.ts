import { defineConfig } from "vite";

/** Builds the console into the front Worker's static files. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  resolve: {
    alias: {
      "@duka/sdk/business": `${import.meta.dirname}/../sdk/src/business.ts`,
      "@duka/sdk/operator": `${import.meta.dirname}/../sdk/src/operator.ts`,
      "@duka/sdk/console": `${import.meta.dirname}/../sdk/src/console.ts`,
    },
  },
  build: {
    outDir: `${import.meta.dirname}/../functions/front/site/console`,
    emptyOutDir: true,
    target: "es2024",
    // Chromium, Firefox and Safari all preload modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Libraries mark files for servers that render React; a browser ignores the mark.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
});
