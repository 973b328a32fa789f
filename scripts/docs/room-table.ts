import { createRequire } from "node:module";
import { join } from "node:path";
import { markdownTable } from "./markdown-table";

/** Rooms by layer, lowest first; those on one line do not import each other, and `.` stands for the files beside them. */
const { ROOMS } = createRequire(__filename)(join(__dirname, "..", "..", ".dependency-cruiser.mjs")) as {
  readonly ROOMS: Readonly<Record<string, readonly string[]>>;
};

const line = (rooms: string): string =>
  rooms
    .split(" ")
    .map((room) => (room === "." ? "files" : room))
    .join(" · ");

/** The rooms of each layer, by the name of their table on the page. */
export const ROOM_TABLE = {
  rooms: (): string =>
    markdownTable(
      ["layer", "rooms, lowest first"],
      Object.entries(ROOMS).map(([layer, lines]) => [`\`${layer}\``, lines.map(line).join(" ← ")]),
    ),
};
