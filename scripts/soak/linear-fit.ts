/** The straight line through points that lies closest to them. */
export interface Line {
  readonly slope: number;
  /** Value where x is 0. */
  readonly start: number;
}

/** Least squares; at least two points with different x. */
export function linearFit(points: readonly (readonly [x: number, y: number])[]): Line {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [middleX, middleY] = [mean(0), mean(1)];
  let above = 0;
  let below = 0;
  for (const [x, y] of points) {
    above += (x - middleX) * (y - middleY);
    below += (x - middleX) ** 2;
  }
  const slope = above / below;
  return { slope, start: middleY - slope * middleX };
}
