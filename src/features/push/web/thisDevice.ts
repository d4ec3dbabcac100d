import { call } from '../../../shared/client.ts'
import { askShell, hearShell, inShell, shellHas, shellSystem } from '../../../shared/shell.ts'
import { type OwnPush, type PushAddress, type PushKind, pushApi } from '../contract.ts'
import type { PushLanguage } from '../rules.ts'

/** Why push cannot be switched on here. */
export class PushRefused extends Error {
  readonly why: 'denied' | 'failed'
  constructor(why: 'denied' | 'failed') {
    super(why)
    this.why = why
  }
}

const tokenKey = 'swath-push-token'
const waitMs = 20_000

/** What this device is told by; null where nothing can reach it while the app is closed. */
export const kindHere = (): PushKind | null => {
  if (inShell()) {
    const system = shellSystem()
    return shellHas('PushNotifications') && (system === 'android' || system === 'ios') ? system : null
  }
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window ? 'web' : null
}

/** An iPhone's browser pushes only to what stands on the home screen. */
export const wantsHomeScreen = (): boolean =>
  !inShell() && /iPhone|iPad/.test(navigator.userAgent) && !('PushManager' in window)

const hashOf = async (text: string): Promise<string> => {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const keptToken = (): string | null => {
  try {
    return localStorage.getItem(tokenKey)
  } catch {
    return null
  }
}

const registrationOf = async (): Promise<ServiceWorkerRegistration | null> =>
  (await navigator.serviceWorker.getRegistration('/')) ?? null

/** The endpoint or token that this device has, without asking anybody for one. */
const presentAddress = async (): Promise<string | null> => {
  const kind = kindHere()
  if (kind === null) return null
  if (kind !== 'web') return keptToken()
  return (await (await registrationOf())?.pushManager.getSubscription())?.endpoint ?? null
}

/** By what the server knows this device; null before it was ever on. */
export const hashHere = async (): Promise<string | null> => {
  const address = await presentAddress()
  return address === null ? null : hashOf(address)
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))

const webAddress = async (key: OwnPush['key']): Promise<PushAddress> => {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused('denied')
  const { pushManager } = await navigator.serviceWorker.ready
  const wanted = bytesOf(key.publicKey)
  const known = await pushManager.getSubscription()
  const knownKey = known?.options.applicationServerKey
  const same = knownKey && new Uint8Array(knownKey).join() === wanted.join()
  // What was made with another key of ours cannot be sent to with this one.
  if (known && !same) await known.unsubscribe()
  const subscription =
    known && same ? known : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted })
  const { keys } = subscription.toJSON()
  return {
    kind: 'web',
    endpoint: subscription.endpoint,
    p256dh: keys?.p256dh ?? '',
    auth: keys?.auth ?? '',
    keyId: key.id,
  }
}

let listens = false
let waiting: { done: (token: string) => void; failed: (error: Error) => void } | null = null

const shellAddress = async (kind: 'android' | 'ios'): Promise<PushAddress> => {
  const { receive } = await askShell('PushNotifications', 'requestPermissions')
  if (receive !== 'granted') throw new PushRefused('denied')
  if (!listens) {
    listens = true
    hearShell('PushNotifications', 'registration', ({ value }) => waiting?.done(value))
    hearShell('PushNotifications', 'registrationError', () => waiting?.failed(new PushRefused('failed')))
  }
  const token = await new Promise<string>((done, failed) => {
    waiting = { done, failed }
    setTimeout(() => failed(new PushRefused('failed')), waitMs)
    askShell('PushNotifications', 'register').catch(() => failed(new PushRefused('failed')))
  })
  try {
    localStorage.setItem(tokenKey, token)
  } catch {
    // then the switch does not know itself after a start, and is switched on again
  }
  return { kind, token }
}

/** Asks the person's browser or phone and tells the server. Only from a tap: nobody is asked at the start. @throws PushRefused */
export const switchOn = async (key: OwnPush['key'], language: PushLanguage): Promise<OwnPush> => {
  const kind = kindHere()
  if (kind === null) throw new PushRefused('failed')
  const address = kind === 'web' ? await webAddress(key) : await shellAddress(kind)
  return call(pushApi.add, { body: { address, language } })
}

export const switchOff = async (): Promise<OwnPush | null> => {
  const hash = await hashHere()
  const own = hash === null ? null : await call(pushApi.remove, { body: { hash } })
  if (kindHere() === 'web') await (await (await registrationOf())?.pushManager.getSubscription())?.unsubscribe()
  else if (kindHere() !== null) await askShell('PushNotifications', 'unregister').catch(() => undefined)
  return own
}
