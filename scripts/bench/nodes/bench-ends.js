/** The two ends of a flow under measurement, which runs in the same process as the bench. */
module.exports = (RED) => {
  RED.nodes.registerType("bench-source", function source(config) {
    RED.nodes.createNode(this, config);
    globalThis.emitBench = (msg) => this.send(msg);
  });
  RED.nodes.registerType("bench-sink", function sink(config) {
    RED.nodes.createNode(this, config);
    this.on("input", (msg, _send, done) => {
      msg.bench?.(msg);
      done();
    });
  });
};
