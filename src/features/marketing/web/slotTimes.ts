/** Makes a value when it is first asked for: a formatter costs a slow phone milliseconds, and most pages need none. */
export const lazily = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const formatter = (timeZone: string | undefined, withZone: boolean) =>
  lazily(
    () =>
      new Intl.DateTimeFormat('en-US', {
        hour: 'numeric',
        minute: '2-digit',
        timeZone,
        ...(withZone ? { timeZoneName: 'short' } : {}),
      }),
  )

/** Before 7 AM and from 9 PM on people are not at a desk: such times stand behind a line that says so. */
export const isNight = (instant: string, timeZone?: string): boolean => {
  const hour = Number(
    new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(new Date(instant)),
  )
  return hour < 7 || hour >= 21
}

/**
 * Says the hour of a free time as a visitor reads it. In the night when the clocks go back an hour comes twice; then its zone tells which one is meant.
 * @param timeZone the browser's own when left out
 */
export const timeTeller = (timeZone?: string): ((instant: string, sameDay?: readonly string[]) => string) => {
  const [plain, zoned] = [formatter(timeZone, false), formatter(timeZone, true)]
  return (instant, sameDay = []) => {
    const label = plain().format(new Date(instant))
    const isTwice = sameDay.some((other) => other !== instant && plain().format(new Date(other)) === label)
    return isTwice ? zoned().format(new Date(instant)) : label
  }
}
