import { askShell, callShell, shellHas } from '../../../../shared/shell.ts'
import type { TrackerDeps } from './tracker.ts'

/** What the notification says that Android shows for as long as it watches. */
export type WatchWords = { title: string; text: string }

const byBrowser: TrackerDeps['watch'] = (onPlace, onTrouble) => {
  if (!navigator.geolocation) {
    onTrouble('denied')
    return () => undefined
  }
  const id = navigator.geolocation.watchPosition(
    ({ coords, timestamp }) =>
      onPlace({
        at: new Date(timestamp).toISOString(),
        latitude: coords.latitude,
        longitude: coords.longitude,
        accuracyMeters: Math.round(coords.accuracy),
      }),
    (trouble) => onTrouble(trouble.code === trouble.PERMISSION_DENIED ? 'denied' : 'silent'),
    { enableHighAccuracy: true, maximumAge: 15_000 },
  )
  return () => navigator.geolocation.clearWatch(id)
}

const byShell =
  ({ title, text }: WatchWords): TrackerDeps['watch'] =>
  (onPlace, onTrouble) => {
    let ended = false
    const begin = async () => {
      // A page that was loaded again finds the watch of the one before.
      await askShell('BackgroundGeolocation', 'stop').catch(() => undefined)
      if (ended) return
      callShell(
        'BackgroundGeolocation',
        'start',
        { backgroundTitle: title, backgroundMessage: text, requestPermissions: true, stale: false, distanceFilter: 50 },
        (place, trouble) => {
          if (ended) return
          if (trouble || !place) onTrouble(trouble?.code === 'NOT_AUTHORIZED' ? 'denied' : 'silent')
          else
            onPlace({
              at: new Date(place.time ?? Date.now()).toISOString(),
              latitude: place.latitude,
              longitude: place.longitude,
              accuracyMeters: Math.round(place.accuracy),
            })
        },
      )
    }
    void begin()
    return () => {
      ended = true
      void askShell('BackgroundGeolocation', 'stop').catch(() => undefined)
    }
  }

/** In the shell also while the phone is in the pocket; in a browser while the app is open. */
export const watchBy = (words: WatchWords): TrackerDeps['watch'] =>
  shellHas('BackgroundGeolocation') ? byShell(words) : byBrowser
