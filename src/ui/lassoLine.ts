/** A place on the screen, in pixels of the map. */
export type Spot = readonly [x: number, y: number]

/** Whether a spot lies inside a line that was drawn around it; the line closes by itself. Crossing lines count by turns, as a person sees them. */
export const isInside = (spot: Spot, line: readonly Spot[]): boolean => {
  let inside = false
  for (let i = 0, j = line.length - 1; i < line.length; j = i++) {
    const [a, b] = [line[i], line[j]]
    if (!a || !b) continue
    if (a[1] > spot[1] !== b[1] > spot[1] && spot[0] < ((b[0] - a[0]) * (spot[1] - a[1])) / (b[1] - a[1]) + a[0])
      inside = !inside
  }
  return inside
}

/** A line with the next spot, where that is far enough to matter: a finger says a hundred a second. */
export const longer = (line: readonly Spot[], next: Spot): readonly Spot[] => {
  const last = line.at(-1)
  return last && Math.hypot(last[0] - next[0], last[1] - next[1]) < 4 ? line : [...line, next]
}

/** A press without a way is no line. */
export const isLine = (line: readonly Spot[]): boolean => {
  const [xs, ys] = [line.map((spot) => spot[0]), line.map((spot) => spot[1])]
  return line.length > 3 && Math.max(...xs) - Math.min(...xs) > 8 && Math.max(...ys) - Math.min(...ys) > 8
}
