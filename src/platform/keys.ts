import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError, config } from './config.ts'

/** What a key is for; each purpose gets its own key, derived from the master key (HKDF-SHA256). */
export type KeyPurpose = 'access-token' | 'link' | 'field-encryption' | 'webhook-local' | 'idempotency' | 'push'

/** Master keys by id; `current` signs and encrypts, the others still verify and decrypt. */
export type KeyRing = { current: string; keys: Record<string, string> }

const keyBytes = 32
const keyId = /^[a-z0-9][a-z0-9-]{0,31}$/
const keyText = z
  .string()
  .refine(
    (text) => Buffer.from(text, 'base64url').length >= keyBytes,
    `a key must be at least ${keyBytes} bytes as base64url`,
  )
const ringShape = z.object({ current: z.string().regex(keyId), keys: z.record(z.string().regex(keyId), keyText) })

const checkedRing = (value: unknown, where: string): KeyRing => {
  const parsed = ringShape.safeParse(value)
  if (!parsed.success || !parsed.data.keys[parsed.data.current]) {
    throw new ConfigError(
      `Swath cannot read its keys from ${where}: expected a current key id and keys of ${keyBytes} bytes or more as base64url.`,
    )
  }
  return parsed.data
}

const fromEnvironment = (text: string): KeyRing => {
  const pairs = text.split(',').map((part) => part.trim().split(':'))
  return checkedRing({ current: pairs[0]?.[0], keys: Object.fromEntries(pairs) }, 'SWATH_KEYS (id:key,olderId:key)')
}

const newKey = (): string => randomBytes(keyBytes).toString('base64url')

const readFile = (path: string): KeyRing => {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    content = null
  }
  return checkedRing(content, path)
}

const writeBeside = (path: string, ring: KeyRing): string => {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, `${JSON.stringify(ring, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  return draft
}

/** Path of the key file of a data folder. */
export const keyFile = (dataDir: string): string => join(dataDir, 'keys.json')

/**
 * The keys of a data folder: SWATH_KEYS (`id:key,olderId:key`, the first is current) or the key file, which is made (mode 0600) when absent.
 * @throws ConfigError in one line when they cannot be used
 */
export const loadKeyRing = (dataDir: string, environmentText: string | undefined): KeyRing => {
  if (environmentText?.trim()) return fromEnvironment(environmentText)
  const path = keyFile(dataDir)
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const draft = writeBeside(path, { current: 'k1', keys: { k1: newKey() } })
    try {
      // link, not rename: of two processes that start at once, both end up with the first one's keys
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return readFile(path)
}

/** Adds a new current key to the key file; older ids still verify and decrypt. Running processes take it up when restarted. Returns the new id. */
export const rotateKeys = (dataDir: string): string => {
  const path = keyFile(dataDir)
  const ring = loadKeyRing(dataDir, undefined)
  const numbers = Object.keys(ring.keys).map((id) => Number(/^k(\d+)$/.exec(id)?.[1] ?? 0))
  const current = `k${Math.max(...numbers) + 1}`
  renameSync(writeBeside(path, { current, keys: { ...ring.keys, [current]: newKey() } }), path)
  return current
}

let loaded: KeyRing | undefined
let derived = new Map<string, Buffer>()

/** For tests and after a rotation: use these keys from now on (undefined: read them again when next needed). */
export const useKeys = (ring: KeyRing | undefined): void => {
  loaded = ring
  derived = new Map()
}

const ring = (): KeyRing => {
  loaded ??= loadKeyRing(config.dataDir, process.env.SWATH_KEYS)
  return loaded
}

const purposeKey = (purpose: KeyPurpose, id: string): Buffer => {
  const master = ring().keys[id]
  if (!master) throw new Error(`The key "${id}" is not in the key file; a value made with it cannot be read.`)
  const name = `${purpose}/${id}`
  const known = derived.get(name)
  if (known) return known
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(master, 'base64url'), 'swath', purpose, keyBytes))
  derived.set(name, key)
  return key
}

export type SigningKey = { id: string; secret: Buffer }

/** The current key of a purpose with its id (a token carries the id as `kid`). */
export const signingKey = (purpose: KeyPurpose): SigningKey => {
  const id = ring().current
  return { id, secret: purposeKey(purpose, id) }
}

/** The key with which an older value was signed, or null when the id is unknown. */
export const findSigningKey = (purpose: KeyPurpose, id: string): SigningKey | null =>
  Object.hasOwn(ring().keys, id) ? { id, secret: purposeKey(purpose, id) } : null

const hmac = (purpose: KeyPurpose, id: string, text: string): string =>
  createHmac('sha256', purposeKey(purpose, id)).update(text).digest('base64url')

/** HMAC-SHA256 of `text` under the current key of the purpose: 256 bits as base64url (43 characters). */
export const hmacToken = (purpose: KeyPurpose, text: string): string => hmac(purpose, ring().current, text)

/** The same under every key, the current one first: to look up something stored before a rotation. */
export const hmacTokens = (purpose: KeyPurpose, text: string): string[] => {
  const { current, keys } = ring()
  return [current, ...Object.keys(keys).filter((id) => id !== current)].map((id) => hmac(purpose, id, text))
}

/** Whether `token` is the HMAC of `text` under any of our keys; takes the same time for every wrong token. */
export const isHmacToken = (purpose: KeyPurpose, text: string, token: string): boolean => {
  const given = Buffer.from(token)
  return hmacTokens(purpose, text).some(
    (expected) => given.length === expected.length && timingSafeEqual(given, Buffer.from(expected)),
  )
}

const ivBytes = 12
const tagBytes = 16

/** Encrypts a text for a column: `<key id>.<base64url of iv, tag and cipher>`, AES-256-GCM. */
export const encryptField = (text: string): string => {
  const { id, secret } = signingKey('field-encryption')
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', secret, iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

/**
 * Reads what `encryptField` made, under whichever key.
 * @throws Error when the key is unknown or the value was changed
 */
export const decryptField = (value: string): string => {
  const dot = value.indexOf('.')
  const bytes = Buffer.from(value.slice(dot + 1), 'base64url')
  if (dot < 1 || bytes.length < ivBytes + tagBytes) throw new Error('Not an encrypted field.')
  const decipher = createDecipheriv(
    'aes-256-gcm',
    purposeKey('field-encryption', value.slice(0, dot)),
    bytes.subarray(0, ivBytes),
  )
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
}
