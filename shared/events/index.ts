export * from "./catalogue.ts";
export * from "./examples.ts";
