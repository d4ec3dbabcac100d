/**
 * What the native shell (native/) puts on the window before our code runs. A browser has none of it. Declared here and not taken from
 * its package: the shell brings it along, so the web's build needs nothing of it; `npm run native:check` holds these shapes against it.
 */
export type ShellBridge = {
  isNativePlatform?: () => boolean
  getPlatform?: () => string
  PluginHeaders?: readonly { name: string }[]
  nativePromise: (plugin: string, method: string, options?: unknown) => Promise<unknown>
  nativeCallback: (plugin: string, method: string, options: unknown, callback: unknown) => unknown
  addListener: (plugin: string, event: string, listener: (news: never) => void) => { remove: () => unknown }
}

/** What we ask of each part of the shell, and what it tells. */
export type ShellParts = {
  App: {
    calls: { minimizeApp: [undefined, unknown] }
    news: { backButton: { canGoBack: boolean }; appUrlOpen: { url: string }; resume: unknown }
  }
  BackgroundGeolocation: { calls: { stop: [undefined, unknown] }; news: Record<never, never> }
  Camera: { calls: { takePhoto: [PhotoWish, { webPath?: string }] }; news: Record<never, never> }
  Network: {
    calls: { getStatus: [undefined, NetworkStatus] }
    news: { networkStatusChange: NetworkStatus }
  }
  PushNotifications: {
    calls: {
      requestPermissions: [undefined, { receive: string }]
      register: [undefined, unknown]
      unregister: [undefined, unknown]
    }
    news: {
      registration: { value: string }
      registrationError: { error: string }
      pushNotificationActionPerformed: { notification: { data?: unknown } }
    }
  }
}

/** What a part tells again and again, from a call on. */
export type ShellStreams = {
  BackgroundGeolocation: {
    start: { options: WatchWish; told: [place: ShellPlace | undefined, trouble: { code?: string } | undefined] }
  }
}

export type NetworkStatus = { connected: boolean; connectionType: 'wifi' | 'cellular' | 'none' | 'unknown' }

export type WatchWish = {
  backgroundTitle: string
  backgroundMessage: string
  requestPermissions: boolean
  stale: boolean
  distanceFilter: number
}
export type ShellPlace = { latitude: number; longitude: number; accuracy: number; time: number | null }

export type PhotoWish = { quality: number; targetWidth: number; targetHeight: number; correctOrientation: boolean }

const bridge = (): ShellBridge | null => {
  const found = (globalThis as { Capacitor?: ShellBridge }).Capacitor
  return found?.isNativePlatform?.() ? found : null
}

export const inShell = (): boolean => bridge() !== null

/** Whether this phone's shell has the part: an older one may lack what the web has learned since. */
export const shellHas = (part: keyof ShellParts): boolean =>
  bridge()?.PluginHeaders?.some(({ name }) => name === part) ?? false

export const shellSystem = (): string | null => bridge()?.getPlatform?.() ?? null

/** @throws what the part refuses with; its `code` says why */
export const askShell = async <P extends keyof ShellParts, M extends keyof ShellParts[P]['calls'] & string>(
  part: P,
  method: M,
  options?: ShellParts[P]['calls'][M] extends [infer O, unknown] ? O : never,
): Promise<ShellParts[P]['calls'][M] extends [unknown, infer R] ? R : never> =>
  (await bridge()?.nativePromise(part, method, options ?? {})) as never

/** Hears what a part of the shell tells, for as long as the page lives; a part that is not there tells nothing. */
export const hearShell = <P extends keyof ShellParts, N extends keyof ShellParts[P]['news'] & string>(
  part: P,
  news: N,
  listener: (told: ShellParts[P]['news'][N]) => void,
): void => {
  if (shellHas(part)) bridge()?.addListener(part, news, listener)
}

/** Asks a part for something that it then tells again and again. */
export const callShell = <P extends keyof ShellStreams, M extends keyof ShellStreams[P] & string>(
  part: P,
  method: M,
  options: ShellStreams[P][M] extends { options: infer O } ? O : never,
  listener: (...told: ShellStreams[P][M] extends { told: infer T extends unknown[] } ? T : never) => void,
): void => {
  bridge()?.nativeCallback(part, method, options, listener)
}
