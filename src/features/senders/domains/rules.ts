import type { Refusal } from '../../../shared/can.ts'

/** waiting: not proven yet; live: mail leaves from it; lapsed: the record of its key is gone, so mail leaves from Swath's address again. */
export const senderStates = ['waiting', 'live', 'lapsed'] as const
export type SenderState = (typeof senderStates)[number]

export const keyStates = ['made', 'signing', 'retired'] as const
export type KeyState = (typeof keyStates)[number]

export const recordKinds = ['owner', 'key', 'nextKey', 'spf', 'dmarc'] as const
export type RecordKind = (typeof recordKinds)[number]

/**
 * found: as it should be; missing: nothing there; other: something else stands there; wrong: it helps nobody as it is; unknown: DNS could not be
 * asked; open: not looked at yet.
 */
export const findingStates = ['found', 'missing', 'other', 'wrong', 'unknown', 'open'] as const
export type FindingState = (typeof findingStates)[number]

/** What a look found under one record. */
export type Finding = { state: FindingState; words: string; there: string[] }

/** What DNS says under a name. */
export type TextsAt = { kind: 'found'; texts: string[] } | { kind: 'none' } | { kind: 'unknown' }

/** What a look found: the keys by their selectors. */
export type Findings = {
  owner?: Finding | undefined
  spf?: Finding | undefined
  dmarc?: Finding | undefined
  keys?: Record<string, Finding> | undefined
}

export const notLooked: Finding = { state: 'open', words: 'Not looked at yet.', there: [] }

const couldNotAsk: Finding = {
  state: 'unknown',
  words: 'DNS could not be asked just now. Nothing was changed; try again in a few minutes.',
  there: [],
}

const notYet: Finding = {
  state: 'missing',
  words: 'Not there yet. A record that was just set can take from minutes to a day to be seen everywhere.',
  there: [],
}

const mostShown = 3
const longestShown = 300
/** Records as a person reads them: the first few, and of each what fits. */
const shown = (texts: readonly string[]): string[] =>
  texts.slice(0, mostShown).map((text) => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text))

export const ownerName = (domain: string): string => `_swath.${domain}`
export const ownerValue = (token: string): string => `swath-verify=${token}`
export const keyName = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`
export const keyValue = (publicKey: string): string => `v=DKIM1; k=rsa; p=${publicKey}`
export const dmarcName = (domain: string): string => `_dmarc.${domain}`
export const dmarcSuggestion = 'v=DMARC1; p=none'

/** Quotes that were copied along with a value are no part of it. */
const plain = (text: string): string => text.trim().replace(/^"(.*)"$/, '$1')

/** Whether the business was let set this record: its token stands there, alone or beside others. */
export const readOwner = (at: TextsAt, token: string): Finding => {
  if (at.kind === 'unknown') return couldNotAsk
  if (at.kind === 'none') return notYet
  return at.texts.some((text) => plain(text) === ownerValue(token))
    ? { state: 'found', words: 'Found: the domain is yours.', there: [] }
    : {
        state: 'other',
        words: 'Something else stands there. Put our value beside it, or in its place.',
        there: shown(at.texts),
      }
}

/** Tags of a record as DKIM and DMARC write them: names in small letters, folded blanks taken out of keys by who reads them. */
const tagsOf = (text: string): Map<string, string> =>
  new Map(
    plain(text)
      .split(';')
      .map((part) => part.split('='))
      .filter((parts) => parts.length > 1)
      .map(([name = '', ...value]) => [name.trim().toLowerCase(), value.join('=').trim()]),
  )

const isKeyFor = (text: string, publicKey: string): boolean => {
  const tags = tagsOf(text)
  const of = (name: string, usual: string): string[] => (tags.get(name) ?? usual).toLowerCase().split(':')
  return (
    (tags.get('v') ?? 'DKIM1') === 'DKIM1' &&
    (tags.get('k') ?? 'rsa').toLowerCase() === 'rsa' &&
    of('h', 'sha256').includes('sha256') &&
    of('s', '*').some((service) => service === '*' || service === 'email') &&
    (tags.get('p') ?? '').replace(/\s/g, '') === publicKey
  )
}

/** Whether who gets a mail finds the key that signed it. Two records under one selector are read at random, so they count as none. */
export const readKey = (at: TextsAt, publicKey: string): Finding => {
  if (at.kind === 'unknown') return couldNotAsk
  if (at.kind === 'none') return notYet
  const there = shown(at.texts)
  if (at.texts.length > 1)
    return { state: 'wrong', words: 'Several records stand there. Only ours may: take the others away.', there }
  const [text = ''] = at.texts
  if (isKeyFor(text, publicKey)) return { state: 'found', words: 'Found: this key can sign.', there: [] }
  return (tagsOf(text).get('p') ?? null) === ''
    ? { state: 'other', words: 'A key that was taken back stands there. Put our value in its place.', there }
    : {
        state: 'other',
        words: 'Something else stands there, or only a part of our value. Put the whole of it in its place.',
        there,
      }
}

export const isSpf = (text: string): boolean => /^v=spf1(\s|$)/i.test(plain(text))

/** Questions that a record may cost whoever checks it (RFC 7208, 4.6.4). */
export const mostSpfLookups = 10

/**
 * What the SPF records of a domain are worth. Ours is checked at our own domain, where bounces go, so it never stands in the way.
 * @param include the name that lists our mail servers; null where this server says none
 * @param lookups questions that the record costs, or null where they could not be counted
 */
export const readSpf = (at: TextsAt, include: string | null, lookups: number | null): Finding => {
  if (at.kind === 'unknown') return couldNotAsk
  const records = at.kind === 'found' ? at.texts.filter(isSpf).map(plain) : []
  const [record] = records
  const there = shown(records)
  if (record === undefined)
    return {
      state: 'missing',
      words: include
        ? 'No SPF record yet. It helps, but nothing waits for it.'
        : 'No SPF record. Nothing waits for it.',
      there,
    }
  if (records.length > 1)
    return {
      state: 'wrong',
      words: `${records.length} SPF records stand there, so all mail of this domain fails SPF, yours too. Make one of them.`,
      there,
    }
  if (lookups !== null && lookups > mostSpfLookups)
    return {
      state: 'wrong',
      words: `This record costs more than ${mostSpfLookups} questions, so all mail of this domain fails SPF, yours too. Take out what you do not use any more.`,
      there,
    }
  const lists =
    include !== null &&
    record
      .toLowerCase()
      .split(/\s+/)
      .some((term) => /^\+?include:/.test(term) && term.replace(/^\+?include:/, '') === include.toLowerCase())
  if (include === null || lists) return { state: 'found', words: 'Found, and it reads well.', there }
  return {
    state: 'other',
    words: `Your record does not name us yet. Put include:${include} into it; nothing waits for it.`,
    there,
  }
}

/** The record to set: the one that stands there with us in it, or a new one. */
export const spfSuggestion = (record: string | undefined, include: string): string => {
  if (!record) return `v=spf1 include:${include} ~all`
  const terms = plain(record).split(/\s+/)
  return terms.some((term) => /^\+?include:/i.test(term) && term.toLowerCase().endsWith(`:${include.toLowerCase()}`))
    ? terms.join(' ')
    : [terms[0], `include:${include}`, ...terms.slice(1)].join(' ')
}

/**
 * What several records list, as one: whoever may send by any of them. How strictly the rest is taken is as the mildest has it.
 * @returns null where one of them hands over to another record, which cannot be put beside anything
 */
const mergedSpf = (records: readonly string[]): string | null => {
  const terms = [...new Set(records.flatMap((record) => plain(record).split(/\s+/).slice(1)).filter(Boolean))]
  const isAll = (term: string): boolean => /^[+?~-]?all$/i.test(term)
  if (terms.some((term) => /^redirect=/i.test(term))) return null
  const strictness = ['+all', 'all', '?all', '~all', '-all']
  const rest = strictness.find((all) => terms.some((term) => term.toLowerCase() === all))
  return ['v=spf1', ...terms.filter((term) => !isAll(term)), ...(rest ? [rest] : [])].join(' ')
}

/**
 * What of SPF there is to set; of two records the one that says what both say. Null where no good record would come of it: one that
 * costs too much already, or one of which only the beginning is kept.
 */
export const spfValue = (finding: Finding | undefined, include: string): string | null => {
  const there = finding?.there ?? []
  if (there.some((record) => record.endsWith('…'))) return null
  if (finding?.state !== 'wrong') return spfSuggestion(there[0], include)
  // of more than a few only the first are kept
  const merged = there.length === 2 ? mergedSpf(there) : null
  return merged && spfSuggestion(merged, include)
}

export const isDmarc = (text: string): boolean => /^v=DMARC1\s*(;|$)/.test(plain(text))

/** What happens to mail that fails, by a policy as its owner wrote it. */
const dmarcWords: Record<string, string> = {
  none: 'receivers only report what is not signed',
  quarantine: 'receivers put what is not signed into spam',
  reject: 'receivers refuse what is not signed',
}

/**
 * What receivers are told to do with mail that nobody signed. Any policy is right: what we send is signed for the very domain in From, so it passes
 * all of them.
 * @param at the domain's own record, else the one of the nearest name above that has one
 */
export const readDmarc = (at: TextsAt): Finding => {
  if (at.kind === 'unknown') return couldNotAsk
  const records = at.kind === 'found' ? at.texts.filter(isDmarc).map(plain) : []
  const there = shown(records)
  const broken =
    at.kind === 'found' ? at.texts.filter((text) => /^v\s*=\s*dmarc/i.test(plain(text)) && !isDmarc(text)) : []
  if (records.length === 0 && broken.length > 0)
    return {
      state: 'wrong',
      words: `What stands there is not read as DMARC: it has to begin with v=DMARC1 and a semicolon, as in ${dmarcSuggestion}.`,
      there: shown(broken.map(plain)),
    }
  if (records.length === 0)
    return { state: 'missing', words: 'No DMARC record yet. Gmail and Yahoo ask for one; nothing waits for it.', there }
  if (records.length > 1)
    return { state: 'wrong', words: 'Several DMARC records stand there, so none counts. Keep one of them.', there }
  const policy = (tagsOf(records[0] ?? '').get('p') ?? 'none').toLowerCase()
  return {
    state: 'found',
    words: `Found: ${dmarcWords[policy] ?? 'receivers go by your policy'}. What Swath sends is signed and passes.`,
    there,
  }
}

/** What an action on the own domain is asked in. */
export type SenderFacts = {
  /** Null: there is no own domain. */
  state: SenderState | null
  /** A new key waits for its record. */
  hasNextKey: boolean
}

const none = 'There is no address of your own. Somebody may have removed it meanwhile; nothing was changed.'
const ifThere: Refusal<SenderFacts> = ({ state }) => (state === null ? none : null)

export const senderRefusals = {
  add: ({ state }) =>
    state === null ? null : 'There is an address of your own already. Remove it first to write from another domain.',
  change: ifThere,
  check: ifThere,
  rotate: ({ state, hasNextKey }) =>
    state === null
      ? none
      : state !== 'live'
        ? 'A new key is made for a domain that mail leaves from. Set the records of this one first.'
        : hasNextKey
          ? 'A new key is waiting for its record already. Set that record, or keep the old key.'
          : null,
  keepKey: ({ state, hasNextKey }) =>
    state === null ? none : hasNextKey && state === 'live' ? null : 'No new key is waiting. Nothing was changed.',
  remove: ifThere,
} satisfies Record<string, Refusal<SenderFacts>>

/** A year: keys that sign much longer are worth being found out. */
export const keyDays = 365
/** The record of a key that signed until now stays as long: mail that is on its way is still checked. */
export const retiredDays = 7

const minuteMs = 60_000
const dayMs = 86_400_000
/** While something is missing each look waits longer than the one before, in hours; after a month only a person asks. */
const waits = [1, 1, 1, 2, 4, 8, 12] as const
const usualWait = 24
const mostLooks = 36

/** Between two looks that count as "gone": a record that was set anew has an hour to come. */
const goneMs = 55 * minuteMs
/** So often in a row the record of the key that signs may be gone: at the second look nothing is signed any more. */
const mostMissed = 2

/** What decides what a look means. Instants are ISO strings. */
export type Standing = {
  state: SenderState
  missed: number
  missedAt: string | null
  looks: number
  keys: readonly { id: string; selector: string; state: KeyState }[]
}

export type Verdict = {
  /** The key that signs from now on, seen in DNS by this look; null: as it was. */
  signs: string | null
  /** Nothing is signed any more. */
  lapses: boolean
  missed: number
  missedAt: string | null
  looks: number
  /** ISO instant of the next look, or null when only a person asks for it. */
  nextLookAt: string | null
}

/**
 * What a look means for mail: from when on which key signs, or that none does any more. A key whose record was not seen never signs; an answer
 * that did not come changes nothing.
 */
export const afterLook = (standing: Standing, findings: Findings, nowMs: number): Verdict => {
  const { state, keys } = standing
  const stateOf = (selector: string | undefined): FindingState =>
    (selector === undefined ? undefined : findings.keys?.[selector])?.state ?? 'open'
  const signing = keys.find((key) => key.state === 'signing')
  const made = keys.find((key) => key.state === 'made')
  /** The key, where its record was seen by this look. */
  const seen = (key: typeof made): typeof made => (stateOf(key?.selector) === 'found' ? key : undefined)
  const later = (hours: number): string => new Date(nowMs + hours * 60 * minuteMs).toISOString()
  const waiting = (looks: number): string | null => (looks >= mostLooks ? null : later(waits[looks] ?? usualWait))
  const still = { signs: null, lapses: false, missed: standing.missed, missedAt: standing.missedAt }
  const fresh = { lapses: false, missed: 0, missedAt: null, looks: 0 }

  if (state !== 'live') {
    const key = seen(made) ?? seen(signing)
    const mayBegin = state === 'lapsed' || findings.owner?.state === 'found'
    if (key && mayBegin) return { ...fresh, signs: key.id, nextLookAt: later(usualWait) }
    const looks = standing.looks + 1
    return { ...still, looks, nextLookAt: waiting(looks) }
  }
  const next = seen(made)
  if (next) return { ...fresh, signs: next.id, nextLookAt: later(usualWait) }
  const looks = made ? standing.looks + 1 : 0
  if (seen(signing))
    return { ...fresh, signs: null, looks, nextLookAt: made ? (waiting(looks) ?? later(usualWait)) : later(usualWait) }
  const found = stateOf(signing?.selector)
  if (found === 'unknown' || found === 'open') return { ...still, looks: standing.looks, nextLookAt: later(1) }
  const isAnother = standing.missedAt === null || nowMs - Date.parse(standing.missedAt) >= goneMs
  if (!isAnother) return { ...still, looks: standing.looks, nextLookAt: later(1) }
  const missed = standing.missed + 1
  const lapses = missed >= mostMissed
  return {
    signs: null,
    lapses,
    missed: lapses ? 0 : missed,
    missedAt: lapses ? null : new Date(nowMs).toISOString(),
    looks: 0,
    nextLookAt: later(1),
  }
}

/** Whether the owner is to be told that the key has signed for a year: once for each year. */
export const isKeyOld = (signingSince: string, remindedAt: string | null, nowMs: number): boolean =>
  nowMs - Date.parse(signingSince) > keyDays * dayMs &&
  (remindedAt === null || nowMs - Date.parse(remindedAt) > keyDays * dayMs)

/** Domains at which anybody has a mailbox. What stands here only saves the way to a proof that nobody could bring. */
const publicDomains = new Set(
  (
    'gmail.com googlemail.com icloud.com me.com mac.com aol.com aim.com msn.com passport.com ' +
    'proton.me protonmail.com pm.me mail.com email.com usa.com zoho.com zohomail.com fastmail.com fastmail.fm hey.com hushmail.com ' +
    'tutanota.com tuta.com duck.com inbox.com rocketmail.com ymail.com myyahoo.com comcast.net xfinity.com att.net sbcglobal.net ' +
    'bellsouth.net verizon.net cox.net charter.net spectrum.net rr.com twc.com earthlink.net mindspring.com netzero.net juno.com ' +
    'frontier.com frontiernet.net windstream.net centurylink.net q.com optonline.net suddenlink.net mediacombb.net cableone.net ' +
    'roadrunner.com embarqmail.com prodigy.net ameritech.net pacbell.net tds.net wowway.com qq.com 163.com 126.com naver.com ' +
    'mail.ru bk.ru list.ru inbox.ru web.de t-online.de freenet.de orange.fr wanadoo.fr free.fr laposte.net libero.it rediffmail.com'
  ).split(' '),
)
const publicFamilies = /^(yahoo|hotmail|outlook|live|gmx|yandex|windowslive)\.[a-z]{2,3}(\.[a-z]{2})?$/

export const isPublicMailDomain = (domain: string): boolean => publicDomains.has(domain) || publicFamilies.test(domain)
