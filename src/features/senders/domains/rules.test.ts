import { describe, expect, it } from 'vitest'
import {
  afterLook,
  type Finding,
  type FindingState,
  isKeyOld,
  isPublicMailDomain,
  keyValue,
  ownerValue,
  readDmarc,
  readKey,
  readOwner,
  readSpf,
  type Standing,
  senderRefusals,
  spfSuggestion,
  spfValue,
} from './rules.ts'

const key = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'
const found = (...texts: string[]) => ({ kind: 'found', texts }) as const
const none = { kind: 'none' } as const
const unknown = { kind: 'unknown' } as const

describe('records', () => {
  it.each([
    [found(ownerValue('abc')), 'found'],
    [found('google-site-verification=1', ` "${ownerValue('abc')}" `), 'found'],
    [found(ownerValue('abcd')), 'other'],
    [none, 'missing'],
    [unknown, 'unknown'],
  ] as const)('of the owner: %j is %s', (at, state) => expect(readOwner(at, 'abc').state).toBe(state))

  it.each([
    [found(keyValue(key)), 'found'],
    [found(`p=${key}`), 'found'],
    [found(`v=DKIM1; k=rsa; h=sha1:sha256; s=email; p=${key.slice(0, 9)} ${key.slice(9)};`), 'found'],
    [found(`v=DKIM1; h=sha1; p=${key}`), 'other'],
    [found(`v=DKIM1; s=other; p=${key}`), 'other'],
    [found(`v=DKIM1; k=ed25519; p=${key}`), 'other'],
    [found(keyValue(key.slice(0, -1))), 'other'],
    [found('v=DKIM1; p='), 'other'],
    [found(keyValue(key), keyValue('another')), 'wrong'],
    [none, 'missing'],
    [unknown, 'unknown'],
  ] as const)('of a key: %j is %s', (at, state) => expect(readKey(at, key).state).toBe(state))

  it('says what stands there instead, in a length that can be read', () => {
    expect(readKey(found('v=DKIM1; p='), key)).toMatchObject({ words: expect.stringContaining('taken back') })
    expect(readKey(found('x'.repeat(999)), key).there[0]).toHaveLength(301)
    expect(readOwner(found('1', '2', '3', '4'), 'abc').there).toEqual(['1', '2', '3'])
  })

  it.each([
    [found('v=spf1 include:spf.swath.example ~all'), 1, 'found'],
    [found('v=spf1 +INCLUDE:SPF.swath.example -all', 'other text'), 1, 'found'],
    [found('v=spf1 include:_spf.google.com ~all'), 1, 'other'],
    [found('v=spf1 include:a -all', 'v=spf1 include:b -all'), null, 'wrong'],
    [found('v=spf1 include:spf.swath.example -all'), 11, 'wrong'],
    [found('v=spf1 include:spf.swath.example -all'), 10, 'found'],
    [found('v=spf10 nothing'), null, 'missing'],
    [none, null, 'missing'],
    [unknown, null, 'unknown'],
  ] as const)('of SPF: %j with %s lookups is %s', (at, lookups, state) =>
    expect(readSpf(at, 'spf.swath.example', lookups).state).toBe(state),
  )

  it('names two SPF records as the error they are, and keeps what stands in one', () => {
    expect(readSpf(found('v=spf1 -all', 'v=spf1 ~all'), null, null).words).toContain('2 SPF records')
    expect(spfSuggestion(undefined, 'spf.swath.example')).toBe('v=spf1 include:spf.swath.example ~all')
    expect(spfSuggestion('v=spf1 mx -all', 'spf.swath.example')).toBe('v=spf1 include:spf.swath.example mx -all')
    const there = 'v=spf1 include:spf.swath.example -all'
    expect(spfSuggestion(there, 'spf.swath.example')).toBe(there)
    const offered = (...texts: string[]) =>
      spfValue(readSpf(found(...texts), 'spf.swath.example', 1), 'spf.swath.example')
    expect(offered('v=spf1 mx -all')).toBe('v=spf1 include:spf.swath.example mx -all')
    expect(offered('v=spf1 mx include:a.example -all', 'v=spf1 include:a.example ip4:192.0.2.1 ~all')).toBe(
      'v=spf1 include:spf.swath.example mx include:a.example ip4:192.0.2.1 ~all',
    )
    // no record is offered that would break what stands there: one that hands over to another, or one of which only the beginning is kept
    expect(offered('v=spf1 mx -all', 'v=spf1 redirect=a.example')).toBeNull()
    expect(offered(`v=spf1 ${'ip4:192.0.2.1 '.repeat(40)}-all`)).toBeNull()
  })

  it.each([
    [found('v=DMARC1; p=reject; adkim=s'), 'found', 'refuse'],
    [found('v=DMARC1; p=quarantine'), 'found', 'spam'],
    [found('v=DMARC1;p=none'), 'found', 'report'],
    [found('v=DMARC1; p=none', 'v=DMARC1; p=reject'), 'wrong', 'none counts'],
    [found('v=DMARC1 p=reject'), 'wrong', 'semicolon'],
    [found('something'), 'missing', 'nothing waits'],
    [none, 'missing', 'nothing waits'],
    [unknown, 'unknown', 'could not be asked'],
  ] as const)('of DMARC: %j is %s', (at, state, words) => {
    expect(readDmarc(at).state).toBe(state)
    expect(readDmarc(at).words).toContain(words)
  })
})

describe('a look', () => {
  const now = Date.parse('2026-06-12T10:00:00Z')
  const finding = (state: FindingState): Finding => ({ state, words: '', there: [] })
  const standing = (changes: Partial<Standing> = {}): Standing => ({
    state: 'live',
    missed: 0,
    missedAt: null,
    looks: 0,
    keys: [{ id: 'k1', selector: 's1', state: 'signing' }],
    ...changes,
  })
  const made = { id: 'k2', selector: 's2', state: 'made' } as const
  const look = (of: Standing, keys: Record<string, FindingState>, owner: FindingState = 'found', at = now) =>
    afterLook(
      of,
      {
        owner: finding(owner),
        keys: Object.fromEntries(Object.entries(keys).map(([selector, state]) => [selector, finding(state)])),
      },
      at,
    )

  it('lets a key sign only when owner and key were seen', () => {
    const waiting = standing({ state: 'waiting', keys: [made] })
    expect(look(waiting, { s2: 'found' }).signs).toBe('k2')
    for (const state of ['missing', 'other', 'wrong', 'unknown'] as const)
      expect(look(waiting, { s2: state }).signs).toBeNull()
    for (const owner of ['missing', 'other', 'unknown'] as const)
      expect(look(waiting, { s2: 'found' }, owner).signs).toBeNull()
    expect(look(waiting, {}).signs).toBeNull()
  })

  it('waits longer each time, and in the end for a person', () => {
    const hours = (looks: number) => {
      const { nextLookAt } = look(standing({ state: 'waiting', keys: [made], looks }), {})
      return nextLookAt === null ? null : (Date.parse(nextLookAt) - now) / 3_600_000
    }
    expect([0, 3, 6, 20, 35].map(hours)).toEqual([1, 4, 24, 24, null])
  })

  it('takes the key out of use when its record is gone twice, an hour apart, and not before', () => {
    const first = look(standing(), { s1: 'missing' })
    expect(first).toMatchObject({ lapses: false, missed: 1, signs: null })
    expect(Date.parse(first.nextLookAt ?? '') - now).toBe(3_600_000)
    const after = standing({ missed: first.missed, missedAt: first.missedAt })
    expect(look(after, { s1: 'missing' }, 'found', now + 60_000)).toMatchObject({ lapses: false, missed: 1 })
    expect(look(after, { s1: 'missing' }, 'found', now + 3_600_000).lapses).toBe(true)
    expect(look(after, { s1: 'other' }, 'found', now + 3_600_000).lapses).toBe(true)
    expect(look(after, { s1: 'unknown' }, 'unknown', now + 3_600_000)).toMatchObject({ lapses: false, missed: 1 })
    expect(look(after, { s1: 'found' }, 'missing', now + 3_600_000)).toMatchObject({ lapses: false, missed: 0 })
  })

  it('comes back by itself when the record does', () => {
    const lapsed = standing({ state: 'lapsed' })
    expect(look(lapsed, { s1: 'found' }, 'missing').signs).toBe('k1')
    expect(look(lapsed, { s1: 'missing' }).signs).toBeNull()
  })

  it('changes to a new key when that one was seen, and keeps the old one until then', () => {
    const rotating = standing({ keys: [made, { id: 'k1', selector: 's1', state: 'signing' }] })
    expect(look(rotating, { s1: 'found', s2: 'missing' }).signs).toBeNull()
    expect(look(rotating, { s1: 'found', s2: 'unknown' }).signs).toBeNull()
    expect(look(rotating, { s1: 'found', s2: 'found' }).signs).toBe('k2')
    expect(look(rotating, { s1: 'missing', s2: 'found' })).toMatchObject({ signs: 'k2', lapses: false })
  })
})

it('a key is old after a year, and that is said once a year', () => {
  const now = Date.parse('2026-06-12T10:00:00Z')
  const ago = (days: number) => new Date(now - days * 86_400_000).toISOString()
  expect(isKeyOld(ago(364), null, now)).toBe(false)
  expect(isKeyOld(ago(366), null, now)).toBe(true)
  expect(isKeyOld(ago(400), ago(30), now)).toBe(false)
  expect(isKeyOld(ago(800), ago(366), now)).toBe(true)
})

it.each(['gmail.com', 'yahoo.co.uk', 'hotmail.fr', 'comcast.net'])('%s is nobody’s own', (domain) =>
  expect(isPublicMailDomain(domain)).toBe(true),
)
it.each(['greenlawn.com', 'live-lawns.com', 'mail.gmail-lawns.com'])('%s may be', (domain) =>
  expect(isPublicMailDomain(domain)).toBe(false),
)

it('what the state does not admit is refused in words', () => {
  const facts = (state: 'waiting' | 'live' | 'lapsed' | null, hasNextKey = false) => ({ state, hasNextKey })
  expect(senderRefusals.add(facts(null))).toBeNull()
  expect(senderRefusals.add(facts('waiting'))).toContain('Remove it first')
  expect(senderRefusals.rotate(facts('live'))).toBeNull()
  expect(senderRefusals.rotate(facts('live', true))).toContain('waiting for its record')
  expect(senderRefusals.rotate(facts('waiting'))).not.toBeNull()
  expect(senderRefusals.keepKey(facts('live', true))).toBeNull()
  expect(senderRefusals.keepKey(facts('live'))).not.toBeNull()
  for (const action of ['check', 'change', 'remove', 'rotate', 'keepKey'] as const)
    expect(senderRefusals[action](facts(null))).toContain('no address of your own')
})
