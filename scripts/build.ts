// `npm run build` builds the Workers, the console and the API reference for `npm run serve`.
import { buildWorkers } from "./serve/build/build.ts";

const started = performance.now();
const workers = await buildWorkers();
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
console.log(`Built ${workers.length} Workers into dist/serve in ${seconds} s.`);
