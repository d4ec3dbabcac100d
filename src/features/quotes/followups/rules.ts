/** Follow-ups leave while people are about, in minutes after midnight where the business is: 9 AM to 6 PM. */
const daylight = { from: 9 * 60, to: 18 * 60 } as const

/** @param minute after midnight where the business is */
export const isDaylight = (minute: number): boolean => minute >= daylight.from && minute < daylight.to
