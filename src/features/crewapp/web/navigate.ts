export type Goal = { latitude: number | null; longitude: number | null; address: string }

/** The address that opens a phone's own maps: Apple Maps on iOS, the map app of choice on Android, the web elsewhere. */
export const mapLink = (goal: Goal, userAgent: string): string => {
  const place = goal.latitude === null || goal.longitude === null ? null : `${goal.latitude},${goal.longitude}`
  const words = encodeURIComponent(goal.address)
  if (/iPhone|iPad|iPod/.test(userAgent)) return `https://maps.apple.com/?daddr=${place ?? words}&dirflg=d`
  if (/Android/.test(userAgent)) return `geo:${place ?? '0,0'}?q=${place ? `${place}(${words})` : words}`
  return `https://www.google.com/maps/dir/?api=1&destination=${place ?? words}`
}
