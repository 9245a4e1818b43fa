export * from "./erase-personal-data.ts";
export * from "./export-personal-data.ts";
