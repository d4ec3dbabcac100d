/** Counts failures in a sliding span; open when there were too many. Failures without an answer are not counted: no signal is no fault. */
export const breaker = ({ limit, withinMs, now }: { limit: number; withinMs: number; now: () => number }) => {
  let times: number[] = []
  const recent = (): number[] => {
    times = times.filter((at) => now() - at < withinMs)
    return times
  }
  return {
    add: (): void => {
      times.push(now())
    },
    isOpen: (): boolean => recent().length >= limit,
    reset: (): void => {
      times = []
    },
  }
}
