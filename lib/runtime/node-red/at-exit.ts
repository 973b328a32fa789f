const reports = new Set<() => void>();

const write = (): void => {
  for (const report of reports) {
    report();
  }
};

/** Registers one listener for all synchronous reports, because Node.js warns of many. @returns removes the report */
export function atExit(report: () => void): () => void {
  if (reports.size === 0) {
    process.on("exit", write);
  }
  reports.add(report);
  return () => {
    reports.delete(report);
    if (reports.size === 0) {
      process.off("exit", write);
    }
  };
}
