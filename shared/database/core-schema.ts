export * from "../businesses/tables.ts";
