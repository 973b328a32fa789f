export interface Cases {
  readonly refused: readonly string[];
  readonly allowed: readonly string[];
}

const NODE_TYPE = 'import type { Node } from "node-red"; export type b = Node;';

/** Whether `npm run check` must refuse a statement in a file at this path. A mere path is one that is imported from. */
export const CASES: Readonly<Record<string, Cases>> = {
  "lib/shared/probe.ts": {
    refused: [
      "../gateway/contract/settings",
      "./../gateway/contract/settings",
      "../../lib/gateway/contract/settings",
      'import type { a } from "../runtime/send/x"; export type b = a;',
      'export * from "../webhook/x";',
      'void import("../editor/dialog/x");',
      "node:fs",
      "fs",
      NODE_TYPE,
      "zod",
      "../texts/say",
      'const a = require("../gateway/contract/settings"); a;',
      'export type a = import("node-red").Node;',
      '/// <reference types="node-red" />',
    ],
    allowed: ["./limits", "./fields/limits", 'import a from "libphonenumber-js/max"; a;'],
  },
  "lib/texts/probe.ts": {
    refused: ["../gateway/contract/settings", "../runtime/send/x", "node:fs", NODE_TYPE],
    allowed: ["../shared/sanitise-text", "./say"],
  },
  "lib/gateway/codec/probe.ts": {
    refused: [
      "../../runtime/send/x",
      "../../webhook/x",
      "../../../lib/runtime/send/x",
      "../../../nodes/sms-send/sms-send",
      "../../../simulator/endpoints/codes",
      NODE_TYPE,
      'import type { Node } from "@node-red/registry"; export type b = Node;',
      "fs/promises",
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
    allowed: ["../../shared/limits", "./settings", "undici", "zod", "node:fs/promises"],
  },
  "lib/webhook/probe.ts": {
    refused: ["../gateway/contract/settings", "../runtime/send/x", NODE_TYPE],
    allowed: ["../shared/limits", "node:http"],
  },
  "lib/store/probe.ts": {
    refused: [
      "../gateway/contract/settings",
      'import type { a } from "../gateway/codec/verdict"; export type b = a;',
      "../webhook/x",
      "../runtime/send/x",
      "zod",
      NODE_TYPE,
    ],
    allowed: [
      "../shared/outcomes",
      "../texts/say",
      "./engine/x",
      "node:worker_threads",
      'import type { DatabaseSync } from "@photostructure/sqlite"; export type b = DatabaseSync;',
    ],
  },
  "lib/runtime/send/probe.ts": {
    refused: ["../../editor/dialog/x", "../../../nodes/sms-send/sms-send", "../../../simulator/built-in"],
    allowed: ["../../gateway/contract/settings", "../../webhook/x", "../../shared/limits", NODE_TYPE],
  },
  "lib/editor/dialog/probe.ts": {
    refused: [
      "../../runtime/send/x",
      "../../gateway/contract/settings",
      "node:fs",
      'import type { RED } from "@node-red/editor-client"; export type b = RED;',
    ],
    allowed: ["../../shared/limits", "./x"],
  },
  "lib/editor/recipients/probe.ts": {
    refused: ["../../shared/recipients/number-facts"],
    allowed: ["../../shared/recipients/allowed-countries"],
  },
  "lib/runtime/guards/probe.ts": {
    refused: ["./where-to-guard", "../../shared/recipients/number-facts"],
    allowed: ['void import("./where-to-guard");', "./recipient-guard"],
  },
  "lib/editor/activity/probe.ts": {
    refused: [
      "../../runtime/send/x",
      "../../gateway/contract/settings",
      "../../../simulator/endpoints/codes",
      "node:fs",
    ],
    allowed: ["../../shared/limits", "../dialog/texts", "./x"],
  },
  "lib/editor/rcs/probe.ts": {
    refused: ["../../runtime/send/x", "../../gateway/contract/settings", "../activity/x"],
    allowed: ["../../shared/limits", "../inputs/x", "./x"],
  },
  "plugins/messaging-activity/probe.editor.ts": {
    refused: [
      "../../lib/runtime/send/x",
      "../../nodes/sms-send/sms-send.editor",
      "../../simulator/endpoints/codes",
      "node:fs",
    ],
    allowed: [
      "../../lib/editor/activity/x",
      "../../lib/editor/dialog/x",
      "../../lib/shared/fields/limits",
      "./x.editor",
    ],
  },
  "nodes/sms-send/probe.ts": {
    refused: [
      "../config/messaging-account",
      "../../nodes/config/messaging-account",
      "../../simulator/built-in",
      'void import("../../simulator/built-in.js");',
      "../../lib/editor/dialog/x",
      "./sms-send.editor",
      "zod",
    ],
    allowed: [
      "../../lib/runtime/send/x",
      "../../lib/gateway/contract/settings",
      "../../lib/webhook/x",
      "../../lib/shared/fields/sms-fields",
      "./x",
      "node:path",
      'import type { NodeAPI } from "node-red"; export type b = NodeAPI;',
    ],
  },
  "nodes/config/probe.ts": {
    refused: [
      "../../simulator/endpoints/codes",
      'void import("../../simulator/endpoints/codes");',
      "../../simulator/built-in",
      'import { a } from "../../simulator/built-in"; a; void import("../../simulator/built-in.js");',
      "../sms-send/sms-send",
      "../../lib/editor/dialog/x",
      "./messaging-account.editor",
    ],
    allowed: ['void import("../../simulator/built-in.js");', "../../lib/runtime/send/x"],
  },
  "nodes/sms-send/probe.editor.ts": {
    refused: [
      "../../lib/runtime/send/x",
      "../../lib/gateway/contract/settings",
      "../config/messaging-account.editor",
      "./sms-send",
      "node:fs",
    ],
    allowed: ["../../lib/editor/dialog/x", "../../lib/shared/fields/sms-fields", "./sms-send.editor"],
  },
  "simulator/probe.ts": {
    refused: ["../lib/shared/limits", "../nodes/sms-send/sms-send", "zod", "undici", NODE_TYPE],
    allowed: ["../lib/shared/network/foreign-page", "./codes", "./endpoints/codes", "node:http"],
  },
  // What no rule lists is refused as well.
  "lib/probe.ts": { refused: ["./shared/limits"], allowed: [] },
  "lib/unlisted/probe.ts": { refused: ["../shared/limits"], allowed: [] },
};

/** Rooms of each layer: `room: which rooms it may not import | which it may`. `.` is the folder of the layer itself. */
export const ROOM_CASES: Readonly<Record<string, readonly string[]>> = {
  "lib/shared": [
    "async: fields network . recipients |",
    "network: async fields . recipients |",
    "fields: . recipients storage schedule words personal-text opt-outs |",
    ".: recipients storage schedule words history personal-text opt-outs | fields",
    "recipients: storage schedule words personal-text opt-outs | fields .",
    "storage: recipients schedule words personal-text opt-outs | fields .",
    "schedule: recipients storage words personal-text opt-outs | fields .",
    "words: recipients storage schedule personal-text opt-outs | fields .",
    "personal-text: recipients storage schedule words opt-outs | fields .",
    "history: recipients storage schedule words personal-text opt-outs | fields .",
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
    "waits: . guards events unlisted | engine schema",
    "events: . jobs history unlisted | engine guards waits schema",
    "jobs: . history unlisted | engine guards waits events schema",
    "history: . jobs unlisted | engine guards events schema",
    ".: unlisted | engine guards waits events jobs history schema",
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
    "digest: send webhook message-wait admin | account waits",
    "admin: . unlisted | send webhook log opt-outs digest",
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
    "nodes: webhook history report . unlisted | checks outputs",
    "report: . unlisted | history activity dialog",
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
