import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from './config.ts'
import {
  decryptField,
  encryptField,
  findSigningKey,
  hmacToken,
  hmacTokens,
  isHmacToken,
  keyFile,
  loadKeyRing,
  rotateKeys,
  signingKey,
  useKeys,
} from './keys.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-keys-'))
})
afterAll(() => {
  useKeys(undefined)
  rmSync(folder, { recursive: true, force: true })
})

const key = (letter: string) => Buffer.alloc(32, letter).toString('base64url')

describe('the key file', () => {
  it('is made once, for its owner only, and read again', () => {
    const made = loadKeyRing(folder, undefined)
    expect(statSync(keyFile(folder)).mode & 0o777).toBe(0o600)
    expect(loadKeyRing(folder, undefined)).toEqual(made)
    expect(Buffer.from(made.keys[made.current] ?? '', 'base64url')).toHaveLength(32)
  })

  it('a rotation adds a key and keeps the old', () => {
    const before = loadKeyRing(folder, undefined)
    useKeys(before)
    const secret = encryptField('4711#')
    const link = hmacToken('link', 'invoice 7')
    expect(rotateKeys(folder)).toBe('k2')
    const after = loadKeyRing(folder, undefined)
    expect(after.keys).toMatchObject(before.keys)
    useKeys(after)
    expect(decryptField(secret)).toBe('4711#')
    expect(encryptField('x')).toMatch(/^k2\./)
    expect(hmacToken('link', 'invoice 7')).not.toBe(link)
    expect(hmacTokens('link', 'invoice 7')).toContain(link)
    expect(isHmacToken('link', 'invoice 7', link)).toBe(true)
    expect(findSigningKey('access-token', 'k1')?.secret).not.toEqual(signingKey('access-token').secret)
    expect(statSync(keyFile(folder)).mode & 0o777).toBe(0o600)
  })

  it('a file that cannot be read is said in one line', () => {
    const broken = mkdtempSync(join(folder, 'broken-'))
    writeFileSync(keyFile(broken), '{')
    expect(() => loadKeyRing(broken, undefined)).toThrow(ConfigError)
  })
})

describe('SWATH_KEYS', () => {
  it('takes the place of the file; the first key is the current one', () => {
    expect(loadKeyRing('/nowhere', `new:${key('n')},old:${key('o')}`)).toEqual({
      current: 'new',
      keys: { new: key('n'), old: key('o') },
    })
  })
  it.each(['short:abc', 'nonsense', `:${key('a')}`, `UPPER:${key('a')}`])('%s is refused', (text) => {
    expect(() => loadKeyRing('/nowhere', text)).toThrow(/SWATH_KEYS/)
  })
})

describe('purposes', () => {
  beforeAll(() => useKeys({ current: 'k1', keys: { k1: key('a') } }))

  it('have different keys', () => {
    expect(hmacToken('link', 'x')).not.toBe(hmacToken('webhook-local', 'x'))
    expect(hmacToken('link', 'x')).toMatch(/^[\w-]{43}$/)
  })

  it('a token of another text, purpose or length does not hold', () => {
    const token = hmacToken('link', 'x')
    expect(isHmacToken('link', 'y', token)).toBe(false)
    expect(isHmacToken('webhook-local', 'x', token)).toBe(false)
    expect(isHmacToken('link', 'x', token.slice(1))).toBe(false)
  })

  it('an unknown key id is no key', () => {
    expect(findSigningKey('access-token', 'k9')).toBeNull()
    expect(findSigningKey('access-token', 'toString')).toBeNull()
  })

  it('every text comes back, never as the same cipher, and a changed cipher is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, place) => {
        const cipher = encryptField(text)
        expect(decryptField(cipher)).toBe(text)
        expect(encryptField(text)).not.toBe(cipher)
        const bytes = Buffer.from(cipher.slice(3), 'base64url')
        bytes.writeUInt8((bytes[place % bytes.length] ?? 0) ^ 1, place % bytes.length)
        expect(() => decryptField(`k1.${bytes.toString('base64url')}`)).toThrow()
      }),
    )
    expect(() => decryptField('plain text')).toThrow('Not an encrypted field')
    expect(() => decryptField(`k7.${'A'.repeat(60)}`)).toThrow(/key "k7" is not in the key file/)
  })
})
