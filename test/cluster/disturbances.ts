/** What is done to a Node-RED, its connection to PostgreSQL, or PostgreSQL. */
export const DISTURBANCES = {
  kill: "Node-RED killed (`kill -9`)",
  killStarting: "Node-RED killed while it started",
  freeze: "Node-RED stopped (`SIGSTOP`) for longer than the lease",
  pause: "Node-RED stopped for a short time",
  cut: "connection to PostgreSQL cut for longer than the lease",
  interrupt: "connection to PostgreSQL cut for a short time",
  stall: "connection to PostgreSQL without an answer",
  deploy: "everything deployed while it ran",
  deployList: "deployed with a long list, while another Node-RED started after a kill",
  restart: "PostgreSQL stopped and started",
  crash: "PostgreSQL killed and started",
  frozenStore: "PostgreSQL stopped (`SIGSTOP`) for longer than the lease",
  pausedStore: "PostgreSQL stopped (`SIGSTOP`) for a short time",
} as const;
export type DisturbanceKind = keyof typeof DISTURBANCES;

/** Those that hit PostgreSQL and so every Node-RED. */
export const ON_STORE: readonly DisturbanceKind[] = ["restart", "crash", "frozenStore", "pausedStore"];

/** Those that nothing of a message may suffer from. */
export const DEPLOYS: readonly DisturbanceKind[] = ["deploy", "deployList"];

/** One that happened. */
export interface Disturbance {
  readonly kind: DisturbanceKind;
  /** Position of the Node-RED; null where it was PostgreSQL. */
  readonly node: number | null;
  /** Epoch ms, as `to`. */
  readonly from: number;
  readonly to: number;
}
