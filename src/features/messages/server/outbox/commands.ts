import { clock } from '../../../../platform/clock.ts'
import { log } from '../../../../platform/log.ts'
import { deliverMail, type Mail, type SendResult } from '../../../../platform/mail/mailer.ts'
import { deliverText, traceText } from '../../../../platform/sms/phone.ts'
import type { Text } from '../../../../platform/sms/text.ts'
import {
  failureByCode,
  suppressedByCode,
  type Trace,
  Untraceable,
  untracedAfterMs,
} from '../../../../platform/sms/twilio.ts'
import { type Channel, type GateFacts, gate, isForward, type MessageStatus, type Purpose } from '../../rules.ts'

/** What the outbox needs to know of a message of either storage. */
export type OutboxRow = {
  id: string
  channel: Channel
  purpose: Purpose
  direction: string
  status: MessageStatus
  address: string
  segments: number
  attempts: number
  runAfter: string | null
}

export type OutboxChanges = {
  status: MessageStatus
  reason?: string | null
  attempts?: number
  runAfter?: string | null
  sentAt?: string
  bodyHtml?: string | null
  provider?: string
  providerId?: string
  livemode?: boolean
}

/** A message ready to leave. */
export type Parcel = { mail: Mail } | { text: Text }

export type Facts = Pick<
  GateFacts,
  'suppressed' | 'marketingConsent' | 'quietUntil' | 'segmentsLeft' | 'inDoubt' | 'fullUntil'
> & {
  /** Why nothing leaves from this sender any more, or null. */
  closed: string | null
}

/** The facts, and the message in the words in which it leaves, where those were put anew. */
type Looked<Row> = Facts & { row?: Row }

/** How a message left. */
export type Sent = Pick<Extract<SendResult, { result: 'accepted' }>, 'provider' | 'from' | 'senderRefused'>

/** Thrown by `compose` when a message can never leave as it is; the words are for the person who sent it. */
export class Unsendable extends Error {}

/**
 * Where messages are kept: those of a business, or those of the product owner with prospects. `Db` is a transaction of that storage. What leaves and when
 * is decided by this file alone, so both behave alike.
 */
export type OutboxStorage<Db, Row extends OutboxRow, Prepared> = {
  transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  find: (db: Db, id: string) => Promise<Row | null>
  /** The message, locked until the transaction ends. */
  lock: (db: Db, id: string) => Promise<Row | null>
  /** One at a time between this and a STOP to the same address. */
  lockAddress: (db: Db, channel: Channel, address: string) => Promise<void>
  facts: (db: Db, row: Row) => Promise<Looked<Row>>
  /** Changes the row and tells open screens. */
  update: (db: Db, id: string, changes: OutboxChanges) => Promise<void>
  /** Asks for another run of this message. */
  enqueue: (db: Db, id: string, runAt: string) => Promise<void>
  /** What `compose` needs from the database. */
  prepare: (db: Db, row: Row) => Promise<Prepared>
  /** Puts together what leaves, outside of any transaction. @throws Unsendable */
  compose: (row: Row, prepared: Prepared) => Promise<Parcel>
  /** It left: whatever this storage notes beside the row. */
  onSent: (db: Db, row: Row, sent: Sent) => Promise<void>
  /** Closes an address for everything; what waits for it is suppressed in the same transaction. */
  suppress: (db: Db, channel: Channel, address: string, reason: string) => Promise<void>
  /** Messages that should have moved before an instant and did not. */
  listOverdue: (db: Db, before: string) => Promise<Row[]>
  /** Texts that may have left, since an instant, the oldest first. */
  listUnknown: (db: Db, since: string) => Promise<(Row & { createdAt: string; updatedAt: string })[]>
  /** The provider's ids of texts to a number that left, the newest. */
  listProviderIds: (db: Db, address: string) => Promise<string[]>
}

/** Minutes from one try to the next while a provider is away: about eight hours together. */
const retryMinutes = [1 / 6, 1 / 2, 1, 2, 5, 10, 20, 40, 60, 120, 240]
export const maxTries: number = retryMinutes.length + 1

const lostContact = 'It may have been sent: contact was lost while sending'
const after = (minutes: number): string => new Date(clock.nowMs() + minutes * 60_000).toISOString()

/** Locks a message after its address, the order in which a STOP takes them too. */
const lockWithAddress = async <Db, Row extends OutboxRow, Prepared>(
  storage: OutboxStorage<Db, Row, Prepared>,
  db: Db,
  id: string,
): Promise<Row | null> => {
  const found = await storage.find(db, id)
  if (found) await storage.lockAddress(db, found.channel, found.address)
  return storage.lock(db, id)
}

/** Decides under the address's lock whether a message may leave now, and marks it as leaving. */
const claim = async <Db, Row extends OutboxRow, Prepared>(
  storage: OutboxStorage<Db, Row, Prepared>,
  id: string,
): Promise<{ row: Row; prepared: Prepared } | null> =>
  storage.transaction(async (db) => {
    const found = await lockWithAddress(storage, db, id)
    if (found?.direction !== 'outbound') return null
    if (found.status === 'sending') {
      // A process died between sending and noting it: it may have left. A person decides, nothing is sent twice.
      await storage.update(db, id, { status: 'unknown', reason: lostContact })
      return null
    }
    if (found.status !== 'pending' && found.status !== 'held') return null
    if (found.runAfter && Date.parse(found.runAfter) > clock.nowMs()) {
      await storage.enqueue(db, id, found.runAfter)
      return null
    }
    const { row = found, ...facts } = await storage.facts(db, found)
    const verdict = gate({ ...facts, channel: row.channel, purpose: row.purpose, segments: row.segments })
    const refused = facts.closed ?? (verdict.kind === 'suppress' ? verdict.reason : null)
    if (refused !== null) {
      await storage.update(db, id, { status: 'suppressed', reason: refused })
      return null
    }
    if (verdict.kind === 'hold') {
      await storage.update(db, id, { status: 'held', reason: verdict.reason, runAfter: verdict.until })
      await storage.enqueue(db, id, verdict.until)
      return null
    }
    await storage.update(db, id, { status: 'sending', reason: null })
    return { row, prepared: await storage.prepare(db, row) }
  })

type Outcome = SendResult | { result: 'unknown' }

const send = async (parcel: Parcel): Promise<Outcome> => {
  try {
    return 'mail' in parcel ? await deliverMail(parcel.mail) : await deliverText(parcel.text)
  } catch (error) {
    log.warn({ err: error }, 'contact was lost while a message was being sent')
    return { result: 'unknown' }
  }
}

/** It did not leave and nobody tries again by itself. */
const fail = <Db, Row extends OutboxRow>(
  storage: OutboxStorage<Db, Row, never>,
  db: Db,
  row: Row,
  reason: string,
): Promise<void> =>
  storage.update(db, row.id, { status: 'failed', reason: reason.slice(0, 300), attempts: row.attempts + 1 })

const note = async <Db, Row extends OutboxRow, Prepared>(
  storage: OutboxStorage<Db, Row, Prepared>,
  id: string,
  outcome: Outcome,
  html: string | null,
): Promise<void> =>
  storage.transaction(async (db) => {
    const row = await lockWithAddress(storage, db, id)
    if (!row) return
    const attempts = row.attempts + 1
    if (outcome.result === 'accepted') {
      const { provider, providerId, livemode } = outcome
      // The provider's own report may have come before this.
      const status = isForward(row.status, 'sent') ? 'sent' : row.status
      await storage.update(db, id, {
        status,
        attempts,
        sentAt: clock.iso(),
        provider,
        providerId,
        livemode,
        ...(html === null ? {} : { bodyHtml: html }),
      })
      return storage.onSent(db, row, outcome)
    }
    if (row.status !== 'sending') return
    if (outcome.result === 'unknown')
      return storage.update(db, id, { status: 'unknown', reason: lostContact, attempts })
    if (outcome.result === 'refused') {
      await fail(storage as never, db, row, outcome.reason)
      if (outcome.suppressed) await storage.suppress(db, row.channel, row.address, outcome.suppressed)
      return
    }
    const wait = retryMinutes[row.attempts]
    if (wait === undefined)
      return fail(storage as never, db, row, `It could not be sent in ${attempts} tries: ${outcome.reason}`)
    const runAfter = after(wait)
    const reason = `Waiting for the provider: ${outcome.reason}`.slice(0, 300)
    await storage.update(db, id, { status: 'pending', reason, attempts, runAfter })
    await storage.enqueue(db, id, runAfter)
  })

/** Lets one message leave: gate, send, note the result. Runs at least once, sends at most once. */
export const sendFromOutbox = async <Db, Row extends OutboxRow, Prepared>(
  storage: OutboxStorage<Db, Row, Prepared>,
  id: string,
): Promise<void> => {
  const claimed = await claim(storage, id)
  if (!claimed) return
  let parcel: Parcel
  try {
    parcel = await storage.compose(claimed.row, claimed.prepared)
  } catch (error) {
    if (error instanceof Unsendable)
      return note(storage, id, { result: 'refused', reason: error.message, suppressed: null }, null)
    log.error({ err: error, messageId: id }, 'a message could not be put together')
    return note(storage, id, { result: 'later', reason: 'it could not be put together' }, null)
  }
  await note(storage, id, await send(parcel), 'mail' in parcel ? parcel.mail.html : null)
}

export type DeliveryNews = {
  status: Extract<MessageStatus, 'delivered' | 'failed' | 'sent'>
  reason: string | null
  /** Why nothing more may go to this address, or null. */
  suppressed: string | null
}

/** Moves a message forward by what a provider reports of it; late news never goes back. */
export const noteDelivery = async <Db, Row extends OutboxRow, Prepared>(
  storage: OutboxStorage<Db, Row, Prepared>,
  db: Db,
  id: string,
  update: DeliveryNews,
): Promise<void> => {
  const row = await lockWithAddress(storage, db, id)
  if (row?.direction !== 'outbound') return
  if (isForward(row.status, update.status))
    await storage.update(db, id, { status: update.status, reason: update.reason?.slice(0, 300) ?? null })
  if (update.suppressed) await storage.suppress(db, row.channel, row.address, update.suppressed)
}

const overdueMinutes = 60

/**
 * Finds messages whose task is gone, so that none waits for ever: each is asked for again, and after as many times as it may be tried it has failed.
 * @returns how many it found
 */
export const sweepOutbox = async <Db, Row extends OutboxRow, Prepared>(
  storage: OutboxStorage<Db, Row, Prepared>,
): Promise<number> =>
  storage.transaction(async (db) => {
    const rows = await storage.listOverdue(db, after(-overdueMinutes))
    for (const row of rows) {
      if (row.status === 'sending') await storage.update(db, row.id, { status: 'unknown', reason: lostContact })
      else if (row.attempts + 1 >= maxTries)
        await fail(storage as never, db, row, `It could not be sent in ${maxTries} tries`)
      else {
        await storage.update(db, row.id, { status: row.status, attempts: row.attempts + 1 })
        await storage.enqueue(db, row.id, clock.iso())
      }
    }
    return rows.length
  })

/** Of older ones the provider's list says nothing that could be trusted. */
const tracedHours = 72

/**
 * Settles texts whose answer was lost: one that the provider has is sent, one that it never had has failed and may be sent again without a second
 * one arriving. What it cannot say stays as it is. Nothing is sent here.
 * @param trace how the provider is asked; without one there is nobody to ask
 */
export const reconcileOutbox = async <Db, Row extends OutboxRow, Prepared>(
  storage: OutboxStorage<Db, Row, Prepared>,
  trace = traceText(),
): Promise<void> => {
  if (!trace) return
  const rows = await storage.transaction((db) => storage.listUnknown(db, after(-60 * tracedHours)))
  for (const row of rows) {
    const { parcel, known } = await storage.transaction(async (db) => ({
      parcel: await storage.compose(row, await storage.prepare(db, row)),
      known: new Set(await storage.listProviderIds(db, row.address)),
    }))
    if (!('text' in parcel)) continue
    let found: Trace
    try {
      // since it was written: a process that died with it may have stood still for days before anybody saw that
      found = await trace(parcel.text, row.createdAt, known)
    } catch (error) {
      if (error instanceof Untraceable) continue
      // the next hour asks again
      log.warn({ err: error }, 'the SMS provider could not say what became of texts')
      return
    }
    if (found.trace === 'found') {
      const { provider, providerId, status, code } = found
      await note(storage, row.id, { result: 'accepted', provider, providerId, livemode: true }, null)
      if (status)
        await storage.transaction((db) =>
          noteDelivery(storage, db, row.id, {
            status,
            reason: status === 'failed' ? failureByCode(code) : null,
            suppressed: suppressedByCode(code),
          }),
        )
    } else if (found.trace === 'absent' && clock.nowMs() - Date.parse(row.updatedAt) > untracedAfterMs)
      await storage.transaction(async (db) => {
        const now = await lockWithAddress(storage, db, row.id)
        if (now?.status === 'unknown')
          await storage.update(db, row.id, {
            status: 'failed',
            reason: 'It did not leave: the SMS provider never had it',
          })
      })
  }
}
