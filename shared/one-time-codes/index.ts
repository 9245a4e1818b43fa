export { codesPerAddress, generateCode } from "./code.ts";
export * from "./context.ts";
export * from "./issue-code.ts";
export * from "./redeem-code.ts";
export { oldCodes, purgeCodes } from "./repo.ts";
