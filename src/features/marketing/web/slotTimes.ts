/** The hour of a free time as a visitor reads it. In the night when the clocks go back an hour comes twice; then its zone tells which one is meant. */
export const timeOf = (instant: string, sameDay: readonly string[] = [], timeZone?: string): string => {
  const label = (at: string, withZone = false): string =>
    new Intl.DateTimeFormat('en-US', {
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
      ...(withZone ? { timeZoneName: 'short' } : {}),
    }).format(new Date(at))
  const isTwice = sameDay.some((other) => other !== instant && label(other) === label(instant))
  return label(instant, isTwice)
}
