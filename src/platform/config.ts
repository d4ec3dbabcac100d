import { Resolver } from 'node:dns'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { brand } from '../shared/brand.ts'
import { type BooksSettings, readBooksSettings } from './books/settings.ts'
import { type MapServerSettings, mapEnvironment, mapProblem, mapSecrets, mapSettingsOf } from './geo/map-settings.ts'
import { type GeoSettings, geoEnvironment, geoSecrets, geoSettingsOf } from './geo/settings.ts'
import { type ShellSettings, shellEnvironment, shellSettingsOf } from './http/app-links.ts'
import { readStripeSettings, type StripeSettings } from './payments/stripe-settings.ts'
import { type PushSettings, readPushSettings } from './push/settings.ts'
import {
  type BucketSettings,
  filesEnvironment,
  filesProblem,
  filesSecrets,
  filesSettingsOf,
} from './storage-settings.ts'

/** A value of the environment that cannot be used; the message is one line for the person who starts the server. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port number from 0 to 65535')

const onOff = z.enum(['0', '1'], 'must be 1 or 0').transform((value) => value === '1')

const databaseUrl = z.string().refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol), {
  error: 'must look like postgres://user:password@host:5432/database',
})

const publicUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must look like https://app.example.com',
  })
  .transform((text) => text.replace(/\/+$/, ''))

/** A number of proxies in front, or their addresses: only what they say of a visitor's address is believed. */
const trustProxy = z
  .string()
  .refine(
    (text) =>
      /^[0-9]$/.test(text) ||
      text.split(',').every((one) => /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(one.trim()) && /[.:]/.test(one)),
    { error: 'must be a number of proxies (1) or their addresses (10.0.0.5, 10.1.0.0/16)' },
  )
  .transform((text) => (/^[0-9]$/.test(text) ? Number(text) : text.split(',').map((one) => one.trim())))

const isNameServers = (list: string[]): boolean => {
  try {
    new Resolver().setServers(list)
    return true
  } catch {
    return false
  }
}

/** Name servers by their addresses, each with a port where it is not 53. */
const dnsServers = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine(isNameServers, {
    error: 'must be addresses of name servers (1.1.1.1, 10.0.0.2:5353, [2606:4700::1111]:53)',
  })

const environment = z.object({
  PORT: port.optional(),
  SWATH_DATA_DIR: z.string().optional(),
  SWATH_DEMO: onOff.optional(),
  SWATH_TOUR: onOff.optional(),
  DATABASE_URL: databaseUrl.optional(),
  PUBLIC_URL: publicUrl.optional(),
  SWATH_TRUST_PROXY: trustProxy.optional(),
  SWATH_ROLE: z.enum(['all', 'api', 'worker'], 'must be all, api or worker').optional(),
  SWATH_DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of seconds from 0 to 999')
    .transform(Number)
    .optional(),
  SWATH_LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'], 'must be silent, error, warn, info or debug')
    .optional(),
  SWATH_DB_POOL: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'must be a number of connections from 1 to 999')
    .transform(Number)
    .optional(),
  SMTP_URL: z
    .string()
    .refine((text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol), {
      error: 'must look like smtps://user:password@mail.example.com',
    })
    .optional(),
  MAIL_FROM: z.email('must be an e-mail address').optional(),
  MAIL_SPF_INCLUDE: z.hostname('must be a domain like spf.example.com').optional(),
  SWATH_DNS_SERVERS: dnsServers.optional(),
  MAIL_INBOUND_DOMAIN: z.hostname('must be a domain like in.example.com').optional(),
  MAIL_INBOUND_SECRET: z.string().min(24, 'must have at least 24 characters').optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'must begin with AC')
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().min(16, 'must be the auth token of the account').optional(),
  TWILIO_MESSAGING_SERVICE_SID: z
    .string()
    .regex(/^MG[0-9a-f]{32}$/i, 'must begin with MG')
    .optional(),
  TWILIO_API_URL: publicUrl.optional(),
  SWATH_OWNER_NAME: z.string().min(1).max(80).optional(),
  SWATH_OWNER_PASSWORD_HASH: z.string().startsWith('$argon2id$', 'must be an argon2id hash').optional(),
  SWATH_CONVERSION_URL: z.url('must look like https://tags.example.com/collect?value={value}').optional(),
  GOOGLE_CLIENT_ID: z.string().max(300).optional(),
  GOOGLE_CLIENT_SECRET: z.string().max(300).optional(),
  OIDC_ISSUER: z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
      error: 'must look like https://accounts.google.com',
    })
    .optional(),
  SWATH_SUPPORT_EMAIL: z.email('must be an e-mail address').optional(),
  SWATH_COMPANY: z.string().trim().min(2, 'must be the name of a company').max(200).optional(),
  ...geoEnvironment,
  ...mapEnvironment,
  ...shellEnvironment,
  ...filesEnvironment,
  SWATH_SUPPORT_PHONE: z.string().min(7, 'must be a phone number').optional(),
})

/** Values that no message may show. */
const secrets = new Set([
  'DATABASE_URL',
  'SMTP_URL',
  'SWATH_OWNER_PASSWORD_HASH',
  'TWILIO_AUTH_TOKEN',
  'MAIL_INBOUND_SECRET',
  ...geoSecrets,
  ...mapSecrets,
  ...filesSecrets,
  'GOOGLE_CLIENT_SECRET',
])

export type Config = {
  /** TCP port of the server; 0 takes a free one. */
  port: number
  /** Address to listen on: loopback in local mode, all in production. */
  host: string
  /** Absolute path of the folder that holds database, files and keys. */
  dataDir: string
  /** The bucket of photos and documents, which several machines share; undefined: they lie in the data folder. */
  files: BucketSettings | undefined
  /** Make the demo business on the first start. */
  demo: boolean
  /** Show the demo business to visitors, where one exists; on one's own computer they see it anyway. */
  tour: boolean
  /** Address of an outside PostgreSQL, else undefined: the embedded one. */
  databaseUrl: string | undefined
  /** Where people reach us, without a slash at the end. */
  publicUrl: string
  /** True when PUBLIC_URL is set: no simulators, no demo. */
  production: boolean
  /** How many proxies stand in front, or their addresses; undefined: none, the address of the connection counts. */
  trustProxy: number | string[] | undefined
  /** What this process does. */
  role: 'all' | 'api' | 'worker'
  /** How long a server that is told to end goes on answering, in seconds: as long as the balancer in front takes to see it. */
  drainSeconds: number
  logLevel: string
  /** The most database connections of the application's pool. */
  poolSize: number
  /** Where mail is sent; undefined keeps it in the local outbox. */
  smtpUrl: string | undefined
  /** Sender address of every mail; the business's name stands before it. */
  mailFrom: string
  /** The name whose SPF record lists our mail servers, for businesses that write from their own domain. */
  mailSpfInclude: string | undefined
  /** Name servers to ask about such domains; undefined: those of the machine. */
  dnsServers: string[] | undefined
  /** Domain whose mail reaches us, so that replies and bounces do; undefined: replies go to the support address. */
  mailInboundDomain: string | undefined
  /** What the mail server shows when it hands us a mail that came in. */
  mailInboundSecret: string | undefined
  twilioAccountSid: string | undefined
  twilioAuthToken: string | undefined
  twilioMessagingServiceSid: string | undefined
  /** Another region of the provider, without a slash at the end. */
  twilioApiUrl: string
  /** Sign-in name of the product owner. */
  ownerName: string
  /** argon2id hash of the product owner's password; without one only the local demo has a product owner. */
  ownerPasswordHash: string | undefined
  /** Stripe for subscriptions, as far as it is set up. */
  stripe: StripeSettings
  /** QuickBooks Online, as far as it is set up. */
  books: BooksSettings
  /** Address of a conversion tag with {event}, {value}, {currency} and {id} in it; undefined tells nobody. */
  conversionUrl: string | undefined
  /** The three of sign-in with Google or another OpenID Connect provider; id and secret belong together. */
  googleClientId: string | undefined
  googleClientSecret: string | undefined
  oidcIssuer: string | undefined
  supportEmail: string
  supportPhone: string
  /** Who runs this server, as the footer of the public pages names it; with an address where one is wanted. */
  company: string
  /** What maps are drawn with, and who is asked for it. */
  maps: MapServerSettings
  /** The native shells that this server vouches for. */
  shell: ShellSettings
  /** Push to browsers and phones, as far as it is set up. */
  push: PushSettings
} & GeoSettings

/**
 * Reads the settings from an environment. Empty values count as not set.
 * @throws ConfigError with one line that names the variable and what it must look like
 */
export const loadConfig = (env: Record<string, string | undefined>): Config => {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0])
      const shown = secrets.has(name) ? '' : ` (it is "${given[name]}")`
      return `${name} ${issue.message}${shown}`
    })
    throw new ConfigError(`Swath cannot start: ${lines.join('; ')}.`)
  }
  const values = parsed.data
  const production = values.PUBLIC_URL !== undefined
  if (production && values.SWATH_DEMO) {
    throw new ConfigError(
      'Swath cannot start: SWATH_DEMO=1 and PUBLIC_URL exclude each other; the demo business is only for local use.',
    )
  }
  const mapTrouble = mapProblem(values)
  if (mapTrouble) throw new ConfigError(`Swath cannot start: ${mapTrouble}.`)
  const filesTrouble = filesProblem(values)
  if (filesTrouble) throw new ConfigError(`Swath cannot start: ${filesTrouble}.`)
  const demoByDefault = values.DATABASE_URL === undefined
  const dataDir = values.SWATH_DATA_DIR ?? 'var'
  const listenPort = values.PORT ?? 3000
  return {
    port: listenPort,
    host: production ? '0.0.0.0' : '127.0.0.1',
    dataDir: isAbsolute(dataDir) ? resolve(dataDir) : resolve(process.cwd(), dataDir),
    files: filesSettingsOf(values),
    demo: !production && (values.SWATH_DEMO ?? demoByDefault),
    tour: values.SWATH_TOUR ?? false,
    databaseUrl: values.DATABASE_URL,
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${listenPort}`,
    production,
    trustProxy: values.SWATH_TRUST_PROXY,
    role: values.SWATH_ROLE ?? 'all',
    drainSeconds: values.SWATH_DRAIN_SECONDS ?? 0,
    logLevel: values.SWATH_LOG_LEVEL ?? (production ? 'info' : 'warn'),
    poolSize: values.SWATH_DB_POOL ?? 12,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? 'mail@swath.example',
    mailSpfInclude: values.MAIL_SPF_INCLUDE,
    dnsServers: values.SWATH_DNS_SERVERS,
    mailInboundDomain: values.MAIL_INBOUND_DOMAIN,
    mailInboundSecret: values.MAIL_INBOUND_SECRET,
    twilioAccountSid: values.TWILIO_ACCOUNT_SID,
    twilioAuthToken: values.TWILIO_AUTH_TOKEN,
    twilioMessagingServiceSid: values.TWILIO_MESSAGING_SERVICE_SID,
    twilioApiUrl: values.TWILIO_API_URL ?? 'https://api.twilio.com',
    ownerName: values.SWATH_OWNER_NAME ?? 'owner',
    ownerPasswordHash: values.SWATH_OWNER_PASSWORD_HASH,
    stripe: readStripeSettings(given, production),
    books: readBooksSettings(given, production),
    conversionUrl: values.SWATH_CONVERSION_URL,
    googleClientId: values.GOOGLE_CLIENT_ID,
    googleClientSecret: values.GOOGLE_CLIENT_SECRET,
    oidcIssuer: values.OIDC_ISSUER,
    supportEmail: values.SWATH_SUPPORT_EMAIL ?? 'help@swath.example',
    supportPhone: values.SWATH_SUPPORT_PHONE ?? '(555) 010-0199',
    company: values.SWATH_COMPANY ?? brand.name,
    maps: mapSettingsOf(values),
    shell: shellSettingsOf(values),
    push: readPushSettings(given),
    ...geoSettingsOf(values),
  }
}

const loadOrExit = (): Config => {
  try {
    return loadConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** The settings of this process, read once. */
export const config: Config = loadOrExit()
