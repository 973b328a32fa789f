/** What a figure must keep. */
export interface Goal {
  readonly situation: string;
  readonly figure: string;
  readonly least?: number;
  readonly most?: number;
}

const HTTPS_32 = "https, 0 ms, 32 in flight";
const HTTP_32 = "http, 0 ms, 32 in flight";
const LATENCY_64 = "http, 20 ms, 64 in flight";
const BURST = "burst of 10000";
const BULK = "one message to 1000000";

export const STORED_LOAD = "kept messages, http, 0 ms, 32 in flight";
export const UNSYNCED_LOAD = "kept without a disk, http, 0 ms, 32 in flight";
export const STORED_REPORTED = "kept, with a report of each message, http, 0 ms, 32 in flight";
export const LEDGER = "the store alone, SQLite";
export const STORED_ONE = "kept messages, http, 0 ms, 1 in flight";
export const STORED_BULK = "kept message to 1000000";
export const POSTGRESQL_LOAD = "kept in PostgreSQL, http, 0 ms, 32 in flight";
export const POSTGRESQL_ONE = "kept in PostgreSQL, http, 0 ms, 1 in flight";
export const INSTANCES_LOAD = "Node-REDs on one account, http, 20 ms, 8 connections each";
export const INSTANCES_LATENCY = "one message at a time, http, 20 ms";
export const GUARDS_STORED = "all guards, kept messages, http, 0 ms, 32 in flight";
export const GUARDS_MEMORY = "all guards, in memory, http, 0 ms, 32 in flight";
export const START_EMPTY = "start with the package installed";
export const START_NODES = "start with fifty nodes of the package";
export const FIRST_SEND = "time to the first send";
export const STORED_RESTART = "restart with 100000 queued";
export const VOLUME = "a million messages and a million events, 100000 due";
export const SLOWEST = "slowest operation of a timer";
export const SEARCHED = "slowest first page of a search";
export const DEPLOYED = "a deploy";
export const LATER = "a send beside a search: later by, 19 of 20";
export const REPORTED = "a report over a million messages";
export const [REPORT_FIRST, REPORT_AGAIN, REPORT_BESIDE] = ["first", "again", "again, while others write"];
export const REPORT_AHEAD = "first, of days counted ahead";
export const REPORT_STANDSTILL = "longest standstill";
export const LOOKED_AT = "state asked 1000 times a minute, kept messages, http, 0 ms, 32 in flight";
export const POSTGRESQL_RESTART = "restart with 100000 queued, kept in PostgreSQL";

/** Every goal of the bench. Ratios are medians of what was measured in turns. */
export const GOALS: readonly Goal[] = [
  { situation: HTTPS_32, figure: "sms-send ÷ raw undici", least: 0.75 },
  { situation: HTTPS_32, figure: "sms-send CPU ÷ raw undici CPU", most: 1.3 },
  { situation: HTTPS_32, figure: "whatsapp-send ÷ raw undici", least: 0.75 },
  { situation: HTTPS_32, figure: "whatsapp-send CPU ÷ raw undici CPU", most: 1.3 },
  { situation: HTTP_32, figure: "sms-send ÷ core http", least: 12 },
  { situation: HTTP_32, figure: "whatsapp-send ÷ core http", least: 8 },
  { situation: LATENCY_64, figure: "sms-send CPU ÷ core http CPU", most: 0.12 },
  { situation: LATENCY_64, figure: "whatsapp-send CPU ÷ core http CPU", most: 0.12 },
  { situation: LATENCY_64, figure: "sms-send share ÷ raw undici share", least: 0.97 },
  { situation: LATENCY_64, figure: "whatsapp-send share ÷ raw undici share", least: 0.97 },
  { situation: BURST, figure: "sms-send sockets beyond the account's", most: 0 },
  { situation: BURST, figure: "sms-send time ÷ raw undici time", most: 1 },
  { situation: BURST, figure: "sms-send memory growth ÷ core http", most: 1 / 15 },
  { situation: BULK, figure: "longest standstill", most: 20 },
  { situation: BULK, figure: "memory growth", most: 60 },
  { situation: BULK, figure: "recipients not reached exactly once", most: 0 },
  { situation: STORED_LOAD, figure: "stored ÷ memory", least: 0.35 },
  { situation: STORED_LOAD, figure: "stored CPU", most: 130 },
  { situation: UNSYNCED_LOAD, figure: "stored ÷ memory", least: 0.5 },
  { situation: STORED_REPORTED, figure: "stored ÷ memory", least: 0.5 },
  { situation: LEDGER, figure: "kept of a message", most: 400 },
  { situation: STORED_LOAD, figure: "longest standstill", most: 20 },
  { situation: STORED_ONE, figure: "added latency", most: 3 },
  { situation: STORED_BULK, figure: "time to accept", most: 2.5 },
  { situation: STORED_BULK, figure: "memory growth to accept", most: 100 },
  { situation: STORED_BULK, figure: "longest standstill", most: 20 },
  { situation: STORED_BULK, figure: "recipients not reached exactly once", most: 0 },
  { situation: STORED_RESTART, figure: FIRST_SEND, most: 0.75 },
  { situation: `${VOLUME}, SQLite`, figure: SLOWEST, most: 50 },
  { situation: `${VOLUME}, SQLite`, figure: SEARCHED, most: 300 },
  { situation: `${VOLUME}, PostgreSQL`, figure: SLOWEST, most: 50 },
  { situation: `${VOLUME}, SQLite`, figure: LATER, most: 20 },
  { situation: `${VOLUME}, PostgreSQL`, figure: SEARCHED, most: 300 },
  { situation: `${VOLUME}, PostgreSQL`, figure: LATER, most: 20 },
  ...["SQLite", "PostgreSQL"].flatMap((engine) => [
    { situation: `${REPORTED}, ${engine}`, figure: REPORT_AHEAD, most: 500 },
    { situation: `${REPORTED}, ${engine}`, figure: REPORT_AGAIN, most: 500 },
    { situation: `${REPORTED}, ${engine}`, figure: REPORT_BESIDE, most: 500 },
    { situation: `${REPORTED}, ${engine}`, figure: REPORT_STANDSTILL, most: 20 },
  ]),
  { situation: LOOKED_AT, figure: "asked ÷ not asked", least: 0.98 },
  { situation: POSTGRESQL_RESTART, figure: FIRST_SEND, most: 0.75 },
  { situation: GUARDS_STORED, figure: "all ÷ none", least: 0.85 },
  { situation: GUARDS_MEMORY, figure: "all ÷ none", least: 0.85 },
  { situation: POSTGRESQL_LOAD, figure: "PostgreSQL ÷ memory", least: 0.35 },
  { situation: INSTANCES_LOAD, figure: "three ÷ one", least: 2.3 },
  { situation: INSTANCES_LOAD, figure: "one: CPU of the server", most: 200 },
  { situation: "webhook, admin app off", figure: "webhook-in ÷ core http in", least: 1.8 },
  { situation: "webhook, admin app off", figure: "webhook-in CPU ÷ core http in CPU", most: 0.55 },
  { situation: "webhook, admin app at /", figure: "webhook-in ÷ core http in", least: 1.2 },
  { situation: "webhook, admin app at /", figure: "webhook-in CPU ÷ core http in CPU", most: 0.65 },
  { situation: `${START_EMPTY}, Node-RED 4`, figure: "time beyond an empty Node-RED", most: 120 },
  { situation: `${START_EMPTY}, Node-RED 4`, figure: "memory beyond an empty Node-RED", most: 10 },
  { situation: `${START_EMPTY}, Node-RED 5`, figure: "time beyond an empty Node-RED", most: 120 },
  { situation: `${START_EMPTY}, Node-RED 5`, figure: "memory beyond an empty Node-RED", most: 10 },
  { situation: "download of 100 MB to a file", figure: "peak memory growth", most: 32 },
];

/** The goal of a figure; null where it has none. */
export const goalOf = (situation: string, figure: string): Goal | null =>
  GOALS.find((goal) => goal.situation === situation && goal.figure === figure) ?? null;

/** Whether a value keeps its goal; what could not be measured does not. */
export const isMet = ({ least, most }: Goal, value: number): boolean =>
  !Number.isNaN(value) && (least === undefined || value >= least) && (most === undefined || value <= most);
