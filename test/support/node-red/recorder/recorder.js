const { appendFileSync } = require("node:fs");

/**
 * Loaded into the Node-RED under test from its `nodes` folder. Records each message that passes a wire,
 * and each start of the flows, and shows them at `/test-recorder` of the admin API. Flows need
 * no change for it: the recorder listens to the runtime's hooks and adds no node of its own. With TEST_RECORDER_FILE
 * it writes messages that carry an event into that file instead, a line each, where they outlive the process.
 */
module.exports = (RED) => {
  const log = { messages: [], starts: 0 };

  /** A copy that can't change any more; parts that JSON can't say are named instead. */
  function freeze(msg) {
    const replace = (key, value) => {
      if (key === "req" || key === "res") return `(${key})`;
      return value instanceof Error ? { message: value.message, code: value.code } : value;
    };
    try {
      return JSON.parse(JSON.stringify(msg, replace));
    } catch (error) {
      return { unreadable: error.message };
    }
  }

  const file = process.env.TEST_RECORDER_FILE;

  RED.hooks.add("onSend.test-recorder", (events) => {
    for (const { source, destination, msg } of events) {
      if (file && msg.event) {
        appendFileSync(
          file,
          `${JSON.stringify({ from: source.id, to: destination.id, msg: freeze(msg) })}\n`,
        );
        continue;
      }
      log.messages.push({ from: source.id, port: source.port, to: destination.id, msg: freeze(msg) });
    }
  });
  RED.events.on("flows:started", () => {
    log.starts += 1;
  });

  RED.httpAdmin.get("/test-recorder", (_request, response) => response.json(log));
  RED.httpAdmin.delete("/test-recorder", (_request, response) => {
    log.messages.length = 0;
    response.sendStatus(204);
  });
  RED.nodes.registerType("test-recorder", function recorder(config) {
    RED.nodes.createNode(this, config);
  });
};
