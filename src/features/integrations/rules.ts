import type { MapService } from '../../shared/maps.ts'
import { identityMode } from '../accounts/identity/rules.ts'
import { geocodingState, mapState, type Outside, travelState } from './geo/rules.ts'

export const integrationKeys = [
  'payments',
  'plans',
  'mail',
  'sms',
  'address',
  'maps',
  'travel',
  'geocoding',
  'google',
  'books',
  'push',
] as const
export type IntegrationKey = (typeof integrationKeys)[number]

/** real: the outside service; local: a simulator on this computer; builtIn: ours, as good in production; off: nothing does it. */
export const integrationModes = ['real', 'local', 'builtIn', 'off'] as const
export type IntegrationMode = (typeof integrationModes)[number]

export type IntegrationState = {
  key: IntegrationKey
  mode: IntegrationMode
  message: string
  missing: { name: string; example: string }[]
}

/** What the server was started with, as far as it decides what it is connected to. */
export type ServerSettings = {
  production: boolean
  publicUrl: string
  smtpUrl: string | undefined
  mailFrom: string
  twilioAccountSid: string | undefined
  twilioAuthToken: string | undefined
  twilioMessagingServiceSid: string | undefined
  mailInboundDomain: string | undefined
  mailInboundSecret: string | undefined
  travel: Outside
  /** Stripe for the plans of Swath itself. */
  stripe:
    | { mode: 'off' }
    | { mode: 'incomplete'; reason: string; missing: readonly string[] }
    | { mode: 'ready'; livemode: boolean; connect: boolean }
  /** QuickBooks Online. */
  books:
    | { mode: 'off' }
    | { mode: 'incomplete'; reason: string; missing: readonly string[] }
    | { mode: 'ready'; livemode: boolean }
  /** Why plans cannot be sold although Stripe is set up. */
  plansProblem: string | null
  geocoding: Outside
  maps: { services: readonly MapService[]; file: string | undefined }
  /** Push, as far as it is set up; the pair for browsers is always there. */
  push: {
    vapid: { mode: 'off' | 'ready' } | { mode: 'incomplete'; reason: string; missing: readonly string[] }
    fcm: { mode: 'off' | 'ready' } | { mode: 'incomplete'; reason: string; missing: readonly string[] }
    apns: { mode: 'off' | 'ready' } | { mode: 'incomplete'; reason: string; missing: readonly string[] }
  }
  googleClientId: string | undefined
  googleClientSecret: string | undefined
  oidcIssuer: string | undefined
}

const identityExamples = {
  GOOGLE_CLIENT_ID: '1234567890-abc.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: 'GOCSPX-...',
} as const

const google = (settings: ServerSettings): Omit<IntegrationState, 'key'> => {
  const identity = identityMode(settings)
  if (identity.mode === 'real') {
    const host = new URL(identity.issuer).hostname
    return {
      mode: 'real',
      message: `People sign in with ${host === 'accounts.google.com' ? 'Google' : host}. It sends them back to ${settings.publicUrl}/api/auth/google/callback.`,
      missing: [],
    }
  }
  if (identity.mode === 'local')
    return {
      mode: 'local',
      message:
        'The Google button leads to a sign-in page on this computer, where you can be anybody. Nothing leaves it.',
      missing: Object.entries(identityExamples).map(([name, example]) => ({ name, example })),
    }
  const missing = identity.missing.map((name) => ({ name, example: identityExamples[name] }))
  const isHalf = Boolean(settings.googleClientId || settings.googleClientSecret || settings.oidcIssuer)
  return {
    mode: 'off',
    message: isHalf
      ? `Sign-in with Google is half set up and stays off until ${missing.map(({ name }) => name).join(' and ')} ${missing.length === 1 ? 'is' : 'are'} set. Everybody signs in with e-mail and password.`
      : 'Everybody signs in with e-mail and password.',
    missing,
  }
}

const smtp = { name: 'SMTP_URL', example: 'smtps://user:password@mail.example.com' }
const mailFrom = { name: 'MAIL_FROM', example: 'office@your-business.com' }
const publicUrl = { name: 'PUBLIC_URL', example: 'https://app.your-business.com' }

/** An address that reaches nobody: what the server takes when nobody set one. */
const isPlaceholder = (address: string): boolean => address.endsWith('.example')

const mail = (settings: ServerSettings): Omit<IntegrationState, 'key'> => {
  const { production, smtpUrl, mailFrom: from } = settings
  if (!smtpUrl)
    return production
      ? { mode: 'off', message: 'No mail server is set, so no mail leaves.', missing: [smtp, mailFrom] }
      : {
          mode: 'local',
          message: 'Mail is kept in the local outbox, with everything in it. Nobody gets any.',
          missing: [smtp, mailFrom],
        }
  const host = new URL(smtpUrl).hostname
  const inbound =
    settings.mailInboundDomain && settings.mailInboundSecret
      ? ` Replies and bounces come back through ${settings.mailInboundDomain}.`
      : settings.mailInboundDomain || settings.mailInboundSecret
        ? ` Replies and bounces do not come back: ${settings.mailInboundDomain ? 'MAIL_INBOUND_SECRET' : 'MAIL_INBOUND_DOMAIN'} is not set.`
        : ''
  return isPlaceholder(from)
    ? {
        mode: 'real',
        message: `Mail leaves through ${host}, but its sender ${from} is made up: most of it will be refused.`,
        missing: [mailFrom],
      }
    : { mode: 'real', message: `Mail leaves through ${host} as ${from}.${inbound}`, missing: [] }
}

const sms = (settings: ServerSettings): Omit<IntegrationState, 'key'> => {
  const missing = [
    ...(settings.twilioAccountSid
      ? []
      : [{ name: 'TWILIO_ACCOUNT_SID', example: 'AC00000000000000000000000000000000' }]),
    ...(settings.twilioAuthToken ? [] : [{ name: 'TWILIO_AUTH_TOKEN', example: 'the auth token of that account' }]),
    ...(settings.twilioMessagingServiceSid
      ? []
      : [{ name: 'TWILIO_MESSAGING_SERVICE_SID', example: 'MG00000000000000000000000000000000' }]),
    ...(settings.production ? [] : [publicUrl]),
  ]
  const begun = settings.twilioAccountSid || settings.twilioAuthToken || settings.twilioMessagingServiceSid
  if (!settings.production)
    return {
      mode: 'local',
      message: begun
        ? 'Texts arrive on the local phone. Twilio is named but stays off: it needs a public address to report to.'
        : 'Texts arrive on the local phone, where you can answer as the customer.',
      missing,
    }
  if (missing.length === 0) return { mode: 'real', message: 'Texts leave through Twilio.', missing }
  return {
    mode: 'off',
    message: begun
      ? `Texts do not leave this server: Twilio is half set up and stays off until ${missing.map((one) => one.name).join(' and ')} ${missing.length === 1 ? 'is' : 'are'} set.`
      : 'Texts do not leave this server: no SMS provider is set.',
    missing,
  }
}

const stripeExample = (name: string): { name: string; example: string } => ({
  name,
  example: name === 'STRIPE_SECRET_KEY' ? 'sk_live_…' : name.endsWith('WEBHOOK_SECRET') ? 'whsec_…' : 'price_…',
})

const plans = ({ production, stripe, plansProblem }: ServerSettings): Omit<IntegrationState, 'key'> => {
  if (stripe.mode === 'incomplete')
    return {
      mode: 'off',
      message: `${stripe.reason} Until then no plan can be bought.`,
      missing: stripe.missing.map((name) => (name === 'PUBLIC_URL' ? publicUrl : stripeExample(name))),
    }
  if (stripe.mode === 'off') {
    const missing = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_BASIC_MONTH'].map(stripeExample)
    return production
      ? { mode: 'off', message: 'No payment provider is set up, so no plan can be bought here.', missing }
      : { mode: 'local', message: 'Plans are bought on the test checkout with test cards. No money moves.', missing }
  }
  if (plansProblem) return { mode: 'off', message: plansProblem, missing: [] }
  return stripe.livemode
    ? { mode: 'real', message: 'Plans are paid by Stripe, with a live key: real money moves.', missing: [] }
    : { mode: 'real', message: 'Plans are paid by Stripe in test mode: no money moves.', missing: [] }
}

const cards = ({ production, stripe }: ServerSettings): Omit<IntegrationState, 'key'> => {
  if (stripe.mode === 'ready' && stripe.connect)
    return {
      mode: 'real',
      message: `Customers pay by card through Stripe, into your own account, once it is set up in Profile, Money.${stripe.livemode ? '' : ' It runs in test mode: no money moves.'}`,
      missing: [],
    }
  const missing = [
    ...(stripe.mode === 'ready' ? [] : ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']),
    'STRIPE_CONNECT_WEBHOOK_SECRET',
  ].map(stripeExample)
  if (stripe.mode === 'ready' || production)
    return {
      mode: 'off',
      message: `Customers see their invoices and how to pay you, but cannot pay by card: ${stripe.mode === 'ready' ? 'Stripe is set up for plans only' : 'no card provider is set up'}. Record checks and cash by hand.`,
      missing,
    }
  return {
    mode: 'local',
    message: 'Customers pay on the test checkout with test cards. It books like the real thing; no money moves.',
    missing,
  }
}

const booksExamples: Record<string, string> = {
  QBO_CLIENT_ID: 'ABc…, of your app at developer.intuit.com',
  QBO_CLIENT_SECRET: 'the secret of that app',
  QBO_ENV: 'production, or sandbox to try it out',
  QBO_WEBHOOK_VERIFIER: 'the verifier token of the app’s webhooks',
}
const bookExample = (name: string) =>
  name === publicUrl.name ? publicUrl : { name, example: booksExamples[name] ?? '…' }

const books = ({ production, books: set }: ServerSettings): Omit<IntegrationState, 'key'> => {
  if (set.mode === 'ready')
    return {
      mode: 'real',
      message: set.livemode
        ? 'Businesses connect their QuickBooks Online, and what they invoice and are paid goes there.'
        : 'Businesses connect companies of the QuickBooks sandbox: no real books.',
      missing: [],
    }
  if (set.mode === 'incomplete')
    return {
      mode: 'off',
      message: `${set.reason} Until then nothing goes to any books.`,
      missing: set.missing.map(bookExample),
    }
  const missing = Object.keys(booksExamples).map(bookExample)
  return production
    ? {
        mode: 'off',
        message: 'Invoices and payments stay in Swath; files for the accountant are under Invoices.',
        missing,
      }
    : {
        mode: 'local',
        message: 'QuickBooks is played on this computer: the same calls, test books, and nothing leaves it.',
        missing,
      }
}

const pushExamples: Record<string, string> = {
  VAPID_PUBLIC_KEY: 'BEl6…, of npx web-push generate-vapid-keys',
  VAPID_PRIVATE_KEY: 'the private half of that pair',
  FCM_PROJECT_ID: 'your-firebase-project',
  FCM_CLIENT_EMAIL: 'firebase-adminsdk@your-project.iam.gserviceaccount.com',
  FCM_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\\n…, of that service account',
  APNS_KEY_ID: 'ABC123DEFG',
  APNS_TEAM_ID: 'A1B2C3D4E5',
  APNS_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\\n…, the .p8 file of that key',
  APNS_TOPIC: 'com.your-business.crew',
}
const pushMissing = (names: readonly string[]) => names.map((name) => ({ name, example: pushExamples[name] ?? '…' }))
const phoneNames = {
  fcm: ['FCM_PROJECT_ID', 'FCM_CLIENT_EMAIL', 'FCM_PRIVATE_KEY'],
  apns: ['APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_PRIVATE_KEY', 'APNS_TOPIC'],
} as const

const push = ({ production, push: set }: ServerSettings): Omit<IntegrationState, 'key'> => {
  const missing = [
    ...(set.vapid.mode === 'incomplete' ? set.vapid.missing : []),
    ...(['fcm', 'apns'] as const).flatMap((phone) => {
      const one = set[phone]
      return one.mode === 'ready' ? [] : one.mode === 'incomplete' ? one.missing : phoneNames[phone]
    }),
  ]
  if (!production)
    return {
      mode: 'local',
      message: 'Devices that switched it on are told on a page of this computer, /local/push. No phone rings.',
      missing: pushMissing(missing),
    }
  const half = [set.vapid, set.fcm, set.apns].flatMap((one) => (one.mode === 'incomplete' ? [one.reason] : []))
  const reached = [
    ...(set.vapid.mode === 'incomplete' ? [] : ['browsers']),
    ...(set.fcm.mode === 'ready' ? ['the Android app'] : []),
    ...(set.apns.mode === 'ready' ? ['the iPhone app'] : []),
  ]
  const told =
    reached.length === 0
      ? 'Nobody is told while the app is closed.'
      : `Told while the app is closed: ${reached.join(', ')}. Each person switches it on for a device.`
  return {
    mode: reached.length === 0 ? 'off' : 'real',
    message: [told, ...half].join(' '),
    missing: pushMissing(missing),
  }
}

/** The state of everything outside, in the order in which an owner cares. */
export const integrationsOf = (settings: ServerSettings): IntegrationState[] => {
  const { production } = settings
  return [
    { key: 'payments', ...cards(settings) },
    { key: 'plans', ...plans(settings) },
    { key: 'mail', ...mail(settings) },
    { key: 'sms', ...sms(settings) },
    production
      ? {
          key: 'address',
          mode: 'real',
          message: `Links in mails and texts lead to ${settings.publicUrl}.`,
          missing: [],
        }
      : {
          key: 'address',
          mode: 'local',
          message: `Links in mails lead to ${settings.publicUrl}, which only this computer can open. With a public address the simulators and the demo are switched off.`,
          missing: [publicUrl],
        },
    { key: 'maps', ...mapState(settings.maps) },
    { key: 'travel', ...travelState(settings.travel) },
    { key: 'geocoding', ...geocodingState(settings.geocoding) },
    { key: 'google', ...google(settings) },
    { key: 'books', ...books(settings) },
    { key: 'push', ...push(settings) },
  ]
}
