import type { Simulator } from "../../simulator/index";
import type { Config } from "../node/flow";
import type { Certificates } from "../support/http/certificates";
import type { Disturbance, FaultProxy } from "./fault-proxy";

/** What a fault must come to for the messages that it hits. */
export type Effect =
  /** The answer arrives all the same. */
  | "none"
  /** Surely not sent, so it is sent again until it is taken. */
  | "retried"
  /** Nobody can tell. */
  | "unknown"
  /** Surely not sent, and there is no use in sending it again. */
  | "refused"
  /** Unknown where the race was lost, which nobody can bring about at will. */
  | "raced"
  /** Sent again or unknown, depending on where it was. */
  | "mixed";

/** What a fault that goes on for some time may play with. */
export interface Scene {
  /** Between the nodes and the service. */
  readonly gateway: FaultProxy;
  /** Between the nodes and the token service. */
  readonly tokens: FaultProxy;
  readonly simulator: Simulator;
  readonly certificates: Certificates;
  /** Lets time pass, as fast as the nodes believe it does. */
  readonly pass: (seconds: number) => Promise<void>;
}

/** One fault of the network, the gateway or the token service. */
export interface Fault {
  readonly name: string;
  readonly effect: Effect;
  /** Settings of the account. */
  readonly account?: Config;
  /** The gateway is reached by https. */
  readonly tls?: boolean;
  /** Of requests to the gateway. */
  readonly disturbance?: Disturbance | ((scene: Scene) => Disturbance);
  /** Goes on for some time instead of hitting single requests; ends when the promise does. */
  readonly during?: (scene: Scene) => Promise<void>;
}
