import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { brand } from '../shared/brand.ts'

const periodSeconds = 30

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: brand.name,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  })

/** A new shared secret of 160 bits, base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** What an authenticator app reads from the QR code. */
export const totpUri = (secret: string, label: string): string => totpOf(secret, label).toString()

/**
 * The half minute (since 1970) that a code stands for, or null when it is wrong. One step before and after counts, for clocks that differ.
 * @param nowMs the present, epoch milliseconds
 */
export const totpStep = (secret: string, code: string, nowMs: number): number | null => {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const delta = totpOf(secret, '').validate({ token, timestamp: nowMs, window: 1 })
  return delta === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + delta
}

/** The code of a moment, as the app shows it. For tests and the demo. */
export const totpCode = (secret: string, nowMs: number): string => totpOf(secret, '').generate({ timestamp: nowMs })

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** How a recovery code is kept: hashed together with whose it is. 50 bits each, and tries slow down. */
export const recoveryHash = (owner: string, code: string): string =>
  createHash('sha256')
    .update(`${owner}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
    .digest('hex')

/** Ten one-time codes for who lost the phone: `abcde-fghjk`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: 10 }, () => {
    // Bytes from 248 on would make the first letters likelier.
    const picked: string[] = []
    while (picked.length < 10)
      for (const byte of randomBytes(16))
        if (byte < 248 && picked.length < 10) picked.push(letters[byte % letters.length] ?? 'a')
    return `${picked.slice(0, 5).join('')}-${picked.slice(5).join('')}`
  })
