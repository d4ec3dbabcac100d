import { isSharing } from './sharing.ts'

export type PhonePlace = { latitude: number; longitude: number; accuracyMeters: number }

/** Where the phone is, of who shares that; a phone that does not say soon says nothing. */
export const whereNow = (userId: string): Promise<PhonePlace | null> =>
  new Promise((resolve) => {
    if (!isSharing(userId) || !navigator.geolocation) return resolve(null)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({
          latitude: coords.latitude,
          longitude: coords.longitude,
          accuracyMeters: Math.min(100_000, Math.round(coords.accuracy)),
        }),
      () => resolve(null),
      { maximumAge: 60_000, timeout: 3000 },
    )
  })
