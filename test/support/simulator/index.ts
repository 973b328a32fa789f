/** Everything that tests of the simulator share. */
export * from "../assert-fields";
export * from "../pluck";
export * from "./raw-exchange";
export * from "./senders";
export * from "./service-client";
export * from "./until";
export * from "./use-simulator";
export * from "./virtual-clock";
export * from "./webhook-server";
