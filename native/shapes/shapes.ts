// Compiled, never run: what the web asks of the shell (src/shared/shell.ts) is what the plugins of this folder really have.
import type { AppPlugin } from '@capacitor/app'
import type { CameraPlugin } from '@capacitor/camera'
import type { CapacitorGlobal } from '@capacitor/core'
import type { NetworkPlugin } from '@capacitor/network'
import type { PushNotificationsPlugin } from '@capacitor/push-notifications'
import type { BackgroundGeolocationPlugin } from '@capgo/background-geolocation'
import type { ShellBridge, ShellParts, ShellStreams } from '../../src/shared/shell.ts'

type Call<P extends keyof ShellParts, M extends keyof ShellParts[P]['calls']> = ShellParts[P]['calls'][M] extends [
  infer Options,
  infer Answer,
]
  ? (options: Options) => Promise<Answer>
  : never
type News<P extends keyof ShellParts, N extends keyof ShellParts[P]['news']> = ShellParts[P]['news'][N]

export const minimize = (app: AppPlugin): Call<'App', 'minimizeApp'> => app.minimizeApp
export const photo =
  (camera: CameraPlugin): Call<'Camera', 'takePhoto'> =>
  (wish) =>
    camera.takePhoto(wish)

type Watch = ShellStreams['BackgroundGeolocation']['start']
export const watch = (
  geolocation: BackgroundGeolocationPlugin,
  { options, told }: { options: Watch['options']; told: (...news: Watch['told']) => void },
) => geolocation.start(options, told)
export const stop = (geolocation: BackgroundGeolocationPlugin): Call<'BackgroundGeolocation', 'stop'> =>
  geolocation.stop

export const news = (app: AppPlugin, network: NetworkPlugin): void => {
  void app.addListener('backButton', (told): News<'App', 'backButton'> => told)
  void app.addListener('appUrlOpen', (told): News<'App', 'appUrlOpen'> => told)
  void app.addListener('resume', () => undefined)
  void network.addListener('networkStatusChange', (told): News<'Network', 'networkStatusChange'> => told)
}

export const allow = (push: PushNotificationsPlugin): Call<'PushNotifications', 'requestPermissions'> =>
  push.requestPermissions
export const register = (push: PushNotificationsPlugin): Call<'PushNotifications', 'register'> => push.register
export const unregister = (push: PushNotificationsPlugin): Call<'PushNotifications', 'unregister'> => push.unregister
export const pushNews = (push: PushNotificationsPlugin): void => {
  void push.addListener('registration', (told): News<'PushNotifications', 'registration'> => told)
  void push.addListener('registrationError', (told): News<'PushNotifications', 'registrationError'> => told)
  void push.addListener(
    'pushNotificationActionPerformed',
    (told): News<'PushNotifications', 'pushNotificationActionPerformed'> => told,
  )
}

/** What the bridge puts on the window. */
export const bridge = (capacitor: CapacitorGlobal): Pick<ShellBridge, 'isNativePlatform' | 'getPlatform'> => capacitor
