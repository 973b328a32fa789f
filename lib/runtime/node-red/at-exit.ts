const reports = new Set<() => void>();

const write = (): void => {
  for (const report of reports) {
    report();
  }
};

/**
 * Has something reported if the process exits meanwhile. Registers one listener for all, since Node.js warns of many.
 * @param report must do its work within the call
 * @returns function that takes it back
 */
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
