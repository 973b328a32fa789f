/**
 * The two ends of a flow under measurement: what a message begins with and where it ends. The bench runs in the
 * same process and meets them in `globalThis.bench`.
 */
module.exports = (RED) => {
  globalThis.bench = { emit: () => {}, emitAside: () => {}, ended: () => {} };
  const { bench } = globalThis;
  RED.nodes.registerType("bench-source", function source(config) {
    RED.nodes.createNode(this, config);
    bench.emit = (msg) => this.send(msg);
    bench.emitAside = (msg) => this.send([null, msg]);
  });
  RED.nodes.registerType("bench-sink", function sink(config) {
    RED.nodes.createNode(this, config);
    this.on("input", (msg, _send, done) => {
      bench.ended(msg);
      done();
    });
  });
};
