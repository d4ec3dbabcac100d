/** How a phone's push service is set up, read from the environment. Half of it is as good as nothing, and says so. */
type Setup<T> = { mode: 'off' } | { mode: 'incomplete'; reason: string; missing: string[] } | ({ mode: 'ready' } & T)

export type FcmAccount = { projectId: string; clientEmail: string; privateKey: string }
export type ApnsAccount = { keyId: string; teamId: string; privateKey: string; topic: string; sandbox: boolean }

export type PushSettings = {
  /** A pair of one's own instead of the one that is made from the server's keys. */
  vapid: Setup<{ publicKey: string; privateKey: string }>
  /** Whom a push service writes to when something is wrong with us. */
  subject: string | null
  fcm: Setup<FcmAccount>
  apns: Setup<ApnsAccount>
}

type Env = Readonly<Record<string, string | undefined>>

const vapidNames = ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'] as const
const fcmNames = ['FCM_PROJECT_ID', 'FCM_CLIENT_EMAIL', 'FCM_PRIVATE_KEY'] as const
const apnsNames = ['APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_PRIVATE_KEY', 'APNS_TOPIC'] as const

const readAll = <N extends string, T>(
  env: Env,
  what: string,
  names: readonly N[],
  made: (of: (name: N) => string) => T,
): Setup<T> => {
  const of = (name: N): string => env[name]?.trim() ?? ''
  const missing = names.filter((name) => of(name) === '')
  if (missing.length === names.length) return { mode: 'off' }
  if (missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are'
    return { mode: 'incomplete', reason: `${what} stays off: ${missing.join(', ')} ${verb} not set.`, missing }
  }
  return { mode: 'ready', ...made(of) }
}

/** A key in one line of an environment has its line ends written out. */
const pem = (text: string): string => text.replaceAll('\\n', '\n')

/** What an environment makes of push. Never throws: something half set up stays off, and the rest of the server runs. */
export const readPushSettings = (env: Env): PushSettings => ({
  vapid: readAll(env, 'The web push pair of its own', vapidNames, (of) => ({
    publicKey: of('VAPID_PUBLIC_KEY'),
    privateKey: of('VAPID_PRIVATE_KEY'),
  })),
  subject: env.VAPID_SUBJECT?.trim() || null,
  fcm: readAll(env, 'Push to Android', fcmNames, (of) => ({
    projectId: of('FCM_PROJECT_ID'),
    clientEmail: of('FCM_CLIENT_EMAIL'),
    privateKey: pem(of('FCM_PRIVATE_KEY')),
  })),
  apns: readAll(env, 'Push to iPhones', apnsNames, (of) => ({
    keyId: of('APNS_KEY_ID'),
    teamId: of('APNS_TEAM_ID'),
    privateKey: pem(of('APNS_PRIVATE_KEY')),
    topic: of('APNS_TOPIC'),
    sandbox: env.APNS_ENV?.trim() === 'sandbox',
  })),
})
