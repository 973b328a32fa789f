import { accountWaitsContract } from "./account-waits-contract";
import { useMemory } from "./use-processes";

describe("waits in memory", () => accountWaitsContract(useMemory()));
