/** The views of the sidebar, in the order of their tabs. */
export const VIEW_IDS = ["history", "conversation", "queue", "opt-outs", "report", "simulator"] as const;
export type ViewId = (typeof VIEW_IDS)[number];
