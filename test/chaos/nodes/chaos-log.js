const { appendFileSync } = require("node:fs");

const FILE = process.env.CHAOS_LOG;

const toResult = ({
  mark,
  result: { outcome, statusName, recipients, clientMessageId, restored = false },
}) => {
  const numbers = (recipients ?? []).map((number) => number.replace("+", ""));
  // A sensitive message is restored without its properties.
  const [id] = /^chaos-\d+/.exec(clientMessageId ?? "") ?? [];
  return { what: "result", mark: mark ?? id, outcome, statusName, numbers, restored };
};
/** What is written of a message, by the type or the id of the node that emits it. */
const LINES = {
  "messaging-sms-send": toResult,
  "messaging-whatsapp-send": toResult,
  "messaging-rcs-send": toResult,
  "messaging-message-wait": ({ wait: { restored = false } }) => ({ what: "wait", restored }),
  "messaging-message-digest": ({ digest: { id, key, count, over, items, restored = false } }) => {
    return { what: "digest", id, key, count, over, ids: items.map((item) => String(item.payload)), restored };
  },
  "messaging-webhook-in": ({ event: { kind, possibleDuplicate }, payload }) => {
    return { what: "event", kind, key: JSON.stringify(payload), possibleDuplicate };
  },
  "catch-senders": ({ error }) => ({ what: "error", text: error.message }),
};

/**
 * Loaded into each Node-RED from its `nodes` folder. Writes a line for each message before it leaves its node: the line outlives the
 * process, and Node-RED drops messages between nodes when flows stop.
 */
module.exports = (RED) => {
  RED.events.on("flows:started", () => RED.hooks.remove("*.test-recorder"));
  RED.hooks.add("onSend.chaos-log", (events) => {
    const { id, node } = events[0]?.source ?? {};
    const toLine = LINES[id] ?? LINES[node?.type];
    if (toLine === undefined) return;
    // The clock of the process may be set.
    const at = performance.timeOrigin + performance.now();
    for (const msg of new Set(events.map((event) => event.msg))) {
      appendFileSync(FILE, `${JSON.stringify({ at, mark: msg.mark, ...toLine(msg) })}\n`);
    }
  });
  RED.nodes.registerType("chaos-log", function chaosLog(config) {
    RED.nodes.createNode(this, config);
  });
};
