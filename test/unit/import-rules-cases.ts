export interface Cases {
  readonly refused: readonly string[];
  readonly allowed: readonly string[];
}

/** One import statement per line, and whether `npm run check` must refuse it in a file at this path. */
export const CASES: Readonly<Record<string, Cases>> = {
  "lib/shared/probe.ts": {
    refused: [
      'import { a } from "../gateway/contract/settings"; a;',
      'import { a } from "./../gateway/contract/settings"; a;',
      'import { a } from "../../lib/gateway/contract/settings"; a;',
      'import type { a } from "../runtime/send/x"; export type b = a;',
      'export * from "../webhook/x";',
      'void import("../editor/dialog/x");',
      'import { readFileSync } from "node:fs"; readFileSync;',
      'import { readFileSync } from "fs"; readFileSync;',
      'import type { Node } from "node-red"; export type b = Node;',
      'import { z } from "zod"; z;',
      'import { a } from "../texts/say"; a;',
      'const a = require("../gateway/contract/settings"); a;',
      'export type a = import("node-red").Node;',
      '/// <reference types="node-red" />',
    ],
    allowed: [
      'import { a } from "./limits"; a;',
      'import { a } from "./fields/limits"; a;',
      'import a from "libphonenumber-js/max"; a;',
    ],
  },
  "lib/texts/probe.ts": {
    refused: [
      'import { a } from "../gateway/contract/settings"; a;',
      'import { a } from "../runtime/send/x"; a;',
      'import { readFileSync } from "node:fs"; readFileSync;',
      'import type { Node } from "node-red"; export type b = Node;',
    ],
    allowed: ['import { a } from "../shared/sanitise-text"; a;', 'import { a } from "./say"; a;'],
  },
  "lib/gateway/codec/probe.ts": {
    refused: [
      'import { a } from "../../runtime/send/x"; a;',
      'import { a } from "../../webhook/x"; a;',
      'import { a } from "../../../lib/runtime/send/x"; a;',
      'import { a } from "../../../nodes/sms-send/sms-send"; a;',
      'import { a } from "../../../simulator/endpoints/codes"; a;',
      'import type { Node } from "node-red"; export type b = Node;',
      'import type { Node } from "@node-red/registry"; export type b = Node;',
      'import { readFile } from "fs/promises"; readFile;',
      // Every way to name another file.
      'import "../../runtime/send/x";',
      'import type { a } from "../../runtime/send/x"; export type b = a;',
      'import { type a } from "../../runtime/send/x"; export type b = a;',
      'export { a } from "../../runtime/send/x";',
      'export type { a } from "../../runtime/send/x";',
      'export * from "../../runtime/send/x";',
      'export * as a from "../../runtime/send/x";',
      'void import("../../runtime/send/x.js");',
      "void import(`../../runtime/send/x.js`);",
      'const a = require("../../runtime/send/x"); a;',
      'import a = require("../../runtime/send/x"); a;',
      'export type a = import("../../runtime/send/x").b;',
      'export type a = typeof import("../../runtime/send/x");',
      'export class A { a?: readonly import("../../runtime/send/x").b[]; }',
      'export function a(b: import("../../runtime/send/x").b): void { void b; }',
      '/// <reference path="../../runtime/send/x.ts" />',
    ],
    allowed: [
      'import { a } from "../../shared/limits"; a;',
      'import { a } from "./settings"; a;',
      'import { Pool } from "undici"; Pool;',
      'import { z } from "zod"; z;',
      'import { readFile } from "node:fs/promises"; readFile;',
    ],
  },
  "lib/webhook/probe.ts": {
    refused: [
      'import { a } from "../gateway/contract/settings"; a;',
      'import { a } from "../runtime/send/x"; a;',
      'import type { Node } from "node-red"; export type b = Node;',
    ],
    allowed: [
      'import { a } from "../shared/limits"; a;',
      'import { createServer } from "node:http"; createServer;',
    ],
  },
  "lib/store/probe.ts": {
    refused: [
      'import { a } from "../gateway/contract/settings"; a;',
      'import type { a } from "../gateway/codec/verdict"; export type b = a;',
      'import { a } from "../webhook/x"; a;',
      'import { a } from "../runtime/send/x"; a;',
      'import { z } from "zod"; z;',
      'import type { Node } from "node-red"; export type b = Node;',
    ],
    allowed: [
      'import { a } from "../shared/outcomes"; a;',
      'import { a } from "../texts/say"; a;',
      'import { a } from "./engine/x"; a;',
      'import { Worker } from "node:worker_threads"; Worker;',
      'import type { DatabaseSync } from "@photostructure/sqlite"; export type b = DatabaseSync;',
    ],
  },
  "lib/runtime/send/probe.ts": {
    refused: [
      'import { a } from "../../editor/dialog/x"; a;',
      'import { a } from "../../../nodes/sms-send/sms-send"; a;',
      'import { a } from "../../../simulator/built-in"; a;',
    ],
    allowed: [
      'import { a } from "../../gateway/contract/settings"; a;',
      'import { a } from "../../webhook/x"; a;',
      'import { a } from "../../shared/limits"; a;',
      'import type { Node } from "node-red"; export type b = Node;',
    ],
  },
  "lib/editor/dialog/probe.ts": {
    refused: [
      'import { a } from "../../runtime/send/x"; a;',
      'import { a } from "../../gateway/contract/settings"; a;',
      'import { a } from "node:fs"; a;',
      'import type { RED } from "@node-red/editor-client"; export type b = RED;',
    ],
    allowed: ['import { a } from "../../shared/limits"; a;', 'import { a } from "./x"; a;'],
  },
  "lib/editor/recipients/probe.ts": {
    refused: ['import { a } from "../../shared/recipients/number-facts"; a;'],
    allowed: ['import { a } from "../../shared/recipients/allowed-countries"; a;'],
  },
  "lib/runtime/guards/probe.ts": {
    refused: [
      'import { a } from "./where-to-guard"; a;',
      'import { a } from "../../shared/recipients/number-facts"; a;',
    ],
    allowed: ['void import("./where-to-guard");', 'import { a } from "./recipient-guard"; a;'],
  },
  "lib/editor/activity/probe.ts": {
    refused: [
      'import { a } from "../../runtime/send/x"; a;',
      'import { a } from "../../gateway/contract/settings"; a;',
      'import { a } from "../../../simulator/endpoints/codes"; a;',
      'import { a } from "node:fs"; a;',
    ],
    allowed: [
      'import { a } from "../../shared/limits"; a;',
      'import { a } from "../dialog/texts"; a;',
      'import { a } from "./x"; a;',
    ],
  },
  "lib/editor/rcs/probe.ts": {
    refused: [
      'import { a } from "../../runtime/send/x"; a;',
      'import { a } from "../../gateway/contract/settings"; a;',
      'import { a } from "../activity/x"; a;',
    ],
    allowed: [
      'import { a } from "../../shared/limits"; a;',
      'import { a } from "../inputs/x"; a;',
      'import { a } from "./x"; a;',
    ],
  },
  "plugins/messaging-activity/probe.editor.ts": {
    refused: [
      'import { a } from "../../lib/runtime/send/x"; a;',
      'import { a } from "../../nodes/sms-send/sms-send.editor"; a;',
      'import { a } from "../../simulator/endpoints/codes"; a;',
      'import { a } from "node:fs"; a;',
    ],
    allowed: [
      'import { a } from "../../lib/editor/activity/x"; a;',
      'import { a } from "../../lib/editor/dialog/x"; a;',
      'import { a } from "../../lib/shared/fields/limits"; a;',
      'import { a } from "./x.editor"; a;',
    ],
  },
  "nodes/sms-send/probe.ts": {
    refused: [
      'import { a } from "../config/messaging-account"; a;',
      'import { a } from "../../nodes/config/messaging-account"; a;',
      'import { a } from "../../simulator/built-in"; a;',
      'void import("../../simulator/built-in.js");',
      'import { a } from "../../lib/editor/dialog/x"; a;',
      'import { a } from "./sms-send.editor"; a;',
      'import { z } from "zod"; z;',
    ],
    allowed: [
      'import { a } from "../../lib/runtime/send/x"; a;',
      'import { a } from "../../lib/gateway/contract/settings"; a;',
      'import { a } from "../../lib/webhook/x"; a;',
      'import { a } from "../../lib/shared/fields/sms-fields"; a;',
      'import { a } from "./x"; a;',
      'import { join } from "node:path"; join;',
      'import type { NodeAPI } from "node-red"; export type b = NodeAPI;',
    ],
  },
  "nodes/config/probe.ts": {
    refused: [
      'import { a } from "../../simulator/endpoints/codes"; a;',
      'void import("../../simulator/endpoints/codes");',
      'import { a } from "../../simulator/built-in"; a;',
      'import { a } from "../../simulator/built-in"; a; void import("../../simulator/built-in.js");',
      'import { a } from "../sms-send/sms-send"; a;',
      'import { a } from "../../lib/editor/dialog/x"; a;',
      'import { a } from "./messaging-account.editor"; a;',
    ],
    allowed: [
      'void import("../../simulator/built-in.js");',
      'import { a } from "../../lib/runtime/send/x"; a;',
    ],
  },
  "nodes/sms-send/probe.editor.ts": {
    refused: [
      'import { a } from "../../lib/runtime/send/x"; a;',
      'import { a } from "../../lib/gateway/contract/settings"; a;',
      'import { a } from "../config/messaging-account.editor"; a;',
      'import { a } from "./sms-send"; a;',
      'import { a } from "node:fs"; a;',
    ],
    allowed: [
      'import { a } from "../../lib/editor/dialog/x"; a;',
      'import { a } from "../../lib/shared/fields/sms-fields"; a;',
      'import { a } from "./sms-send.editor"; a;',
    ],
  },
  "simulator/probe.ts": {
    refused: [
      'import { a } from "../lib/shared/limits"; a;',
      'import { a } from "../nodes/sms-send/sms-send"; a;',
      'import { z } from "zod"; z;',
      'import { a } from "undici"; a;',
      'import type { Node } from "node-red"; export type b = Node;',
    ],
    allowed: [
      'import { a } from "../lib/shared/network/foreign-page"; a;',
      'import { a } from "./codes"; a;',
      'import { a } from "./endpoints/codes"; a;',
      'import { createServer } from "node:http"; createServer;',
    ],
  },
  // What no rule lists is refused as well.
  "lib/probe.ts": { refused: ['import { a } from "./shared/limits"; a;'], allowed: [] },
  "lib/unlisted/probe.ts": { refused: ['import { a } from "../shared/limits"; a;'], allowed: [] },
};

/** Rooms of each layer: `room: which rooms it may not import | which it may`. `.` is the folder of the layer itself. */
export const ROOM_CASES: Readonly<Record<string, readonly string[]>> = {
  "lib/shared": [
    "async: fields network . recipients |",
    "network: async fields . recipients |",
    "fields: . recipients storage schedule words personal-text opt-outs |",
    ".: recipients storage schedule words personal-text opt-outs | fields",
    "recipients: storage schedule words personal-text opt-outs | fields .",
    "storage: recipients schedule words personal-text opt-outs | fields .",
    "schedule: recipients storage words personal-text opt-outs | fields .",
    "words: recipients storage schedule personal-text opt-outs | fields .",
    "personal-text: recipients storage schedule words opt-outs | fields .",
    "opt-outs: unlisted | fields . words",
  ],
  "lib/gateway": [
    "contract: http codec queue . unlisted |",
    "http: codec client | contract",
    "http/body: client | contract http",
    "codec: client queue | contract http http/body",
    "client: queue connection-test | codec http",
    "queue: connection-test | client codec",
    "connection-test: queue | client http",
    "unlisted: contract |",
  ],
  "lib/webhook": ["gates: . |", ".: unlisted | gates", "unlisted: . gates |"],
  "lib/store": [
    "schema: engine . |",
    "engine: guards . unlisted | schema",
    "guards: . waits unlisted | engine schema",
    "waits: . guards unlisted | engine schema",
    ".: unlisted | engine guards waits schema",
    "unlisted: schema |",
  ],
  "lib/runtime": [
    "node-red: fields account |",
    "fields: node-red channels |",
    "channels: activity send | fields",
    "store: waits account send | node-red guards",
    "waits: account send message-wait | store guards node-red",
    "activity: memory simulator account store | channels node-red",
    "memory: activity guards store waits | node-red",
    "simulator: account send guards store | activity",
    "guards: account send simulator store | activity node-red",
    "account: send webhook message-wait codes | simulator guards store waits",
    "send: webhook admin | account channels",
    "webhook: send admin | account activity",
    "log: send webhook opt-outs admin | account store",
    "opt-outs: send webhook log admin | account store",
    "message-wait: send webhook codes admin | account waits",
    "codes: send webhook message-wait admin | account store",
    "admin: . unlisted | send webhook log opt-outs",
    "unlisted: fields |",
  ],
  "lib/editor": [
    "dialog: fields activity |",
    "fields: personal-text recipients | dialog",
    "personal-text: recipients inputs | fields dialog",
    "recipients: inputs | fields personal-text",
    "inputs: checks rcs | recipients",
    "checks: webhook outputs | inputs",
    "outputs: webhook checks | inputs",
    "personal-panels: checks rcs template | personal-text inputs",
    "rcs: template | inputs",
    "template: rcs | inputs",
    "activity: rcs webhook history | dialog",
    "webhook: history . unlisted | checks",
    "history: webhook nodes . unlisted | activity dialog",
    "nodes: webhook history . unlisted | checks outputs",
    "unlisted: dialog |",
  ],
  simulator: [
    "util: sign-in . |",
    "sign-in: request inventory | util",
    "request: sign-in rules | util",
    "inventory: rules messages webhooks | request",
    "webhooks: messages inventory | util",
    "rules: endpoints messages | inventory",
    "messages: endpoints rules | inventory webhooks",
    "endpoints: faults account | messages rules",
    "faults: account | endpoints",
    "account: controls | faults",
    "controls: . unlisted | account",
    "unlisted: util |",
    ".: unlisted | controls account util",
  ],
};

/** Files that import each other in a circle: the statement of each file, by its path. */
export const CIRCLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "of two files": {
    "lib/shared/circle-1.ts": 'import { a } from "./circle-2"; export const b = a;',
    "lib/shared/circle-2.ts": 'import { b } from "./circle-1"; export const a = b;',
  },
  "of three files and two rooms, by types alone": {
    "simulator/util/circle-1.ts": 'import type { a } from "./circle-2"; export type b = a;',
    "simulator/util/circle-2.ts": 'export type { c as a } from "../rules/circle-3";',
    "simulator/rules/circle-3.ts": 'import type { b } from "../util/circle-1"; export type c = b;',
  },
  "of two files of a node": {
    "nodes/sms-send/circle-1.ts": 'export * from "./circle-2";',
    "nodes/sms-send/circle-2.ts": 'void import("./circle-1.js");',
  },
};

/** Two rooms that import each other by different files, so that no file is part of a circle. */
export const CIRCLE_OF_ROOMS: Readonly<Record<string, string>> = {
  "lib/gateway/codec/round-1.ts": 'import { a } from "../http/round-2"; a;',
  "lib/gateway/http/round-3.ts": 'import { a } from "../codec/round-4"; a;',
};
