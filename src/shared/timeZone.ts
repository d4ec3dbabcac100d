const placeOf = (timeZone: string): string => timeZone.replaceAll('_', ' ').split('/').at(-1) ?? timeZone

/** A zone as people call it: "Eastern Time" for `America/New_York`; one that this machine does not know by its city. */
export const timeZoneLabel = (timeZone: string): string => {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts(0)
    const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? timeZone
    return name.replace(/^GMT(\+00:00)?(?=[+-]|$)/, 'UTC')
  } catch {
    return placeOf(timeZone)
  }
}

/** Whether a name is the time zone of a place: "UTC" is where no lawn grows. */
export const isPlaceZone = (name: string): boolean => name.includes('/') && !name.startsWith('Etc/') && isTimeZone(name)

/** Whether a name is a time zone that this machine knows. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
